public import BusdHosting
public import BusdLoginEvents
public import BusdProtocol

/// `login/NAME`: signing in.
public typealias LoginViewModel = FunctionViewModel<LoginFunction>

/// A tap checks the contents of the fields, but only while the button is enabled. A success names
/// the checked user, because the field may have changed since.
///
/// The fields keep their text after a failure or a success, so another tap is possible. A view that
/// stays connected after a success should empty the password by `passwordChanged`. The view model
/// ends with its connection: then the password is wiped, and a waiting check is cancelled.
public func loginViewModel(
    usernameChanged: Signal<String>, passwordChanged: Signal<Secret>, loginTapped: Signal<Void>,
    services: any HasPasswords & HasSender
) -> (
    loginButtonEnabled: Property<Bool>, busy: Property<Bool>, showSuccess: Signal<LoginSuccess>,
    showFailureMessage: Signal<String>
) {
    let fields = Property.combineLatest(
        Property(initial: "", then: usernameChanged),
        Property(initial: Secret(""), then: passwordChanged))
    let isBusy = MutableProperty(false)
    let isEnabled = Property.combineLatest(fields, isBusy).map { fields, isBusy in
        !fields.0.isEmpty && !fields.1.isEmpty && !isBusy
    }

    let (outcomes, outcome) = Signal<LoginOutcome>.pipe()
    let checks = fields.sample(on: loginTapped.filter { isEnabled.value })
    // The observer below holds this property, and ends with the wiring.
    let underWay = MutableProperty<PasswordCheck?>(nil)
    checks.observeValues { username, password in
        underWay.value = services.passwords.check(
            password, of: username, for: services.sender
        ) { outcome.send(value: LoginOutcome(user: username, verdict: $0)) }
    }
    isBusy <~ Signal.merge(checks.map { _ in true }, outcomes.map { _ in false })

    // A message is sent after the values that change with it.
    let shown = outcomes.withLatest(from: isEnabled).map { outcome, _ in outcome }
    return (
        isEnabled.skipRepeats(), isBusy, shown.compactMap(\.success), shown.compactMap(\.failure)
    )
}

/// A sign-in, as views show it.
public struct LoginSuccess {
    /// A sentence for people.
    public let message: String
    /// The name that was checked.
    public let user: String
}

private struct LoginOutcome {
    let user: String
    let verdict: PasswordVerdict

    var success: LoginSuccess? {
        verdict == .right ? LoginSuccess(message: "Login Successful!", user: user) : nil
    }

    /// One text for a wrong name, a wrong password and a locked name.
    var failure: String? {
        switch verdict {
        case .right: nil
        case .wrong: "Wrong name or password. Five failures in a row lock a name for 30 s."
        case .unknown: "The password can't be checked now."
        }
    }
}

/// Hosts `loginViewModel` as the kind `login`.
public enum LoginFunction: ViewModelFunction {
    public typealias Kind = Login

    public static let placement = Placement.perConnection

    /// A changed field emits no event.
    public static func changes(with event: Login.ViewEvent) -> Bool {
        switch event {
        case .usernameChanged, .passwordChanged: true
        case .loginTapped: false
        }
    }

    public static func wire(
        at address: Address, services: any HasPasswords & HasSender
    ) -> Wiring<Login>? {
        let (usernameChanged, username) = Signal<String>.pipe()
        let (passwordChanged, password) = Signal<Secret>.pipe()
        let (loginTapped, tap) = Signal<Void>.pipe()
        return Wiring(
            loginViewModel(
                usernameChanged: usernameChanged, passwordChanged: passwordChanged,
                loginTapped: loginTapped, services: services),
            to: { .loginButtonEnabled(isEnabled: $0) }, { .busy(isBusy: $0) },
            { .showSuccessMessage(message: $0.message, user: $0.user) },
            { .showFailureMessage(message: $0) }
        ) { event in
            switch event {
            case .usernameChanged(let name): username.send(value: name.text)
            case .passwordChanged(let secret): password.send(value: secret)
            case .loginTapped: tap.send()
            }
        }
    }
}
