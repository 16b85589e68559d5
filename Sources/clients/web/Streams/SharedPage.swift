import BusdClient
package import BusdHTTP
package import BusdProtocol

/// A page that is the same for all browsers, and the streams that follow it. The page is made once
/// for a change, and all streams get the same line.
///
/// The part that owns the page subscribes to busd, and calls `show` after each change.
package final class SharedPage {
    /// Called when a browser asks for the page while nothing is shown: if busd has ended the
    /// subscription, the part subscribes again.
    package var subscribe: (() -> Void)?
    /// The line of an event for the streams; empty while nothing is shown.
    private(set) var line: [UInt8] = []
    private var make: (() -> HTTPResponse)?
    /// The page, once it was asked for after a change.
    private var page: HTTPResponse?
    private var watchers: [ObjectIdentifier: () -> Void] = [:]
    private var questions: [Question<PageAnswer>] = []
    private let reader: BusReader

    package init(_ reader: BusReader) { self.reader = reader }

    /// Shows the values of `line`, with its line feed. `page` makes the page that has them.
    package func show(_ line: [UInt8], page make: @escaping () -> HTTPResponse) {
        change(to: line, make)
    }

    /// busd does not show the values now.
    package func hide() { change(to: [], nil) }

    /// busd has refused the subscription.
    package func refuse(_ error: WireError) {
        answer(.failure(BusReader.Failure(.refused(error))))
    }

    private func change(to line: [UInt8], _ make: (() -> HTTPResponse)?) {
        // By bytes: another form of the same name is a change.
        guard line != self.line else { return }
        (self.line, self.make, page) = (line, make, nil)
        for changed in watchers.values { changed() }
        if !questions.isEmpty, let page = current() { answer(.success(page)) }
    }

    private func current() -> HTTPResponse? {
        page = page ?? make?()
        return page
    }

    private func answer(_ answer: PageAnswer) {
        let asked = questions
        questions = []
        for question in asked { question.answer(answer) }
    }

    /// Calls `done` once with the page, after busd has answered: the values of a busd that hangs
    /// may be old.
    package func ask(_ done: @escaping (PageAnswer) -> Void) {
        let question = reader.question(done) { [weak self] question in
            self?.questions.removeAll { $0 === question }
        }
        reader.connection.request(.ping) { [weak self] answer in
            if case .failure(let failure) = answer {
                question.answer(.failure(BusReader.Failure(failure)))
            }
            guard let self, question.isOpen else { return }
            if let page = current() { return question.answer(.success(page)) }
            questions.append(question)
            subscribe?()
        }
    }

    /// Calls `changed` after each change of `line`, until `unwatch`.
    func watch(_ watcher: AnyObject, _ changed: @escaping () -> Void) {
        watchers[ObjectIdentifier(watcher)] = changed
    }

    func unwatch(_ watcher: AnyObject) { watchers[ObjectIdentifier(watcher)] = nil }
}
