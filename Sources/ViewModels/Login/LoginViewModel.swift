public import Protocol

/// `login/NAME`: signing in.
public typealias LoginViewModel = FunctionViewModel<LoginFunction>

/// A tap has an effect only while the button is enabled: then what stands in the fields is checked.
///
/// The fields keep what has been typed, so one may tap again, after a failure as after a success.
/// A view that has signed somebody in and goes on empties its field, by `passwordChanged`; else the
/// password is forgotten with the view model, a minute after the last who used it.
public func loginViewModel(
    usernameChanged: Signal<String>, passwordChanged: Signal<Secret>, loginTapped: Signal<Void>,
    services: any HasPasswords
) -> (
    loginButtonEnabled: Property<Bool>, busy: Property<Bool>, showSuccessMessage: Signal<String>,
    showFailureMessage: Signal<String>
) {
    let fields = Property.combineLatest(
        Property(initial: "", then: usernameChanged),
        Property(initial: Secret(""), then: passwordChanged))
    let isBusy = MutableProperty(false)
    let isEnabled = Property.combineLatest(fields, isBusy).map { fields, isBusy in
        !fields.0.isEmpty && !fields.1.isEmpty && !isBusy
    }

    let (verdicts, verdict) = Signal<PasswordVerdict>.pipe()
    let checks = fields.sample(on: loginTapped.filter { isEnabled.value })
    checks.observeValues { username, password in
        services.passwords.check(password, of: username) { verdict.send(value: $0) }
    }
    isBusy <~ Signal.merge(checks.map { _ in true }, verdicts.map { _ in false })

    // A message comes when the button is as it should be.
    let told = verdicts.withLatest(from: isEnabled).map { verdict, _ in verdict }
    return (
        isEnabled.skipRepeats(), isBusy, told.compactMap(\.success), told.compactMap(\.failure)
    )
}

extension PasswordVerdict {
    fileprivate var success: String? { self == .right ? "Login Successful!" : nil }

    /// It says no more of a name than that it is, or may be, locked: so one text is for all.
    fileprivate var failure: String? {
        switch self {
        case .right: nil
        case .wrong: "Wrong name or password. Five failures in a row lock a name for 30 s."
        case .unknown: "The password can't be checked now."
        }
    }
}

public enum LoginFunction: ViewModelFunction {
    public typealias Kind = Login

    public static let placement = Placement.onDemand

    public static func wire(at address: Address, services: any HasPasswords) -> Wiring<Login>? {
        let (usernameChanged, username) = Signal<String>.pipe()
        let (passwordChanged, password) = Signal<Secret>.pipe()
        let (loginTapped, tap) = Signal<Void>.pipe()
        return Wiring(
            loginViewModel(
                usernameChanged: usernameChanged, passwordChanged: passwordChanged,
                loginTapped: loginTapped, services: services),
            to: { .loginButtonEnabled(isEnabled: $0) }, { .busy(isBusy: $0) },
            { .showSuccessMessage(message: $0) }, { .showFailureMessage(message: $0) }
        ) { event in
            switch event {
            case .usernameChanged(let text): username.send(value: text)
            case .passwordChanged(let secret): password.send(value: secret)
            case .loginTapped: tap.send()
            }
        }
    }
}
