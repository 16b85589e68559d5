/// What each connection may do with each view model, as tables: one row for each `DoorAct`, one
/// column for each `DoorSubject`.
///
///     +  allowed
///     -  hidden: the connection gets the same lines as on a bus that does not have the kind
///     u  refused with `unknownViewModel`, with a hint
///     e  refused with `unknownEvent`
///     n  refused with `notAllowed`
enum DoorTable {
    /// The control socket, for users other than root and the daemon's own.
    static let control = """
                       plain  ready  unmade  own  other  secret  vault  noVault  ended  endedSecret
        list           +      +      -       +    +      -       -      -        -      -
        listAll        +      +      -       +    +      -       -      -        -      -
        describe       +      +      +       +    +      -       -      -        -      -
        describeKind   +      +      +       +    +      -       -      -        +      -
        describeAll    +      +      +       +    +      -       -      -        +      -
        get            +      +      +       +    +      -       -      -        -      -
        subscribe      +      +      +       +    +      -       -      -        -      -
        subscribeAll   +      +      -       +    +      -       -      -        -      -
        subscribeSteps +      +      -       +    +      -       -      -        -      -
        unsubscribe    +      +      +       +    +      -       -      -        -      -
        keepAddress    +      +      +       +    +      -       -      -        -      -
        keepPattern    +      +      +       +    +      -       -      -        -      -
        send           +      +      +       +    n      -       -      -        -      -
        sendNonsense   e      e      e       e    n      -       -      -        -      -
        suggestAddress +      +      -       +    +      -       -      -        -      -
        suggestKind    +      +      +       +    +      -       -      -        +      -
        arrival        +      +      -       +    +      -       -      -        +      -
        arrivalBehind  +      +      -       +    +      -       -      -        -      -
        made           +      +      +       +    +      -       -      -        +      -
        madeBefore     +      +      +       +    +      -       -      -        +      -
        """

    /// The control socket, for root and the daemon's own user.
    static let administrator = """
                       plain  ready  unmade  own  other  secret  vault  noVault  ended  endedSecret
        list           +      +      -       +    +      -       -      -        -      -
        listAll        +      +      -       +    +      -       -      -        -      -
        describe       +      +      +       +    +      +       +      +        -      -
        describeKind   +      +      +       +    +      +       +      +        +      +
        describeAll    +      +      +       +    +      +       +      +        +      +
        get            +      +      +       +    +      +       +      +        -      -
        subscribe      +      +      +       +    +      +       +      +        -      -
        subscribeAll   +      +      -       +    +      -       -      -        -      -
        subscribeSteps +      +      -       +    +      -       -      -        -      -
        unsubscribe    +      +      +       +    +      +       +      +        -      -
        keepAddress    +      +      +       +    +      +       +      +        -      -
        keepPattern    +      +      +       +    +      -       -      -        -      -
        send           +      +      +       +    n      +       +      +        -      -
        sendNonsense   e      e      e       e    n      e       e      e        -      -
        suggestAddress +      +      -       +    +      -       -      -        -      -
        suggestKind    +      +      +       +    +      +       +      +        +      +
        arrival        +      +      -       +    +      -       -      -        +      -
        arrivalBehind  +      +      -       +    +      -       -      -        -      -
        made           +      +      +       +    +      +       +      +        +      +
        madeBefore     +      +      +       +    +      +       +      +        +      +
        """

    /// The view socket, for all users.
    static let view = """
                       plain  ready  unmade  own  other  secret  vault  noVault  ended  endedSecret
        list           +      +      -       -    +      -       -      -        -      -
        listAll        +      +      -       -    +      -       -      -        -      -
        describe       +      +      +       +    +      -       -      -        -      -
        describeKind   +      +      +       +    +      -       -      -        +      -
        describeAll    +      +      +       +    +      -       -      -        +      -
        get            +      +      u       u    +      -       -      -        -      -
        subscribe      +      +      u       u    +      -       -      -        -      -
        subscribeAll   +      +      -       -    +      -       -      -        -      -
        subscribeSteps +      +      -       -    +      -       -      -        -      -
        unsubscribe    +      +      -       -    +      -       -      -        -      -
        keepAddress    +      +      -       -    +      -       -      -        -      -
        keepPattern    +      +      -       -    +      -       -      -        -      -
        send           n      n      n       n    n      n       n      n        n      n
        sendNonsense   n      n      n       n    n      n       n      n        n      n
        suggestAddress +      +      -       -    +      -       -      -        -      -
        suggestKind    +      +      +       +    +      -       -      -        +      -
        arrival        +      +      -       u    +      -       -      -        +      -
        arrivalBehind  +      +      -       u    +      -       -      -        -      -
        made           n      n      n       n    n      n       n      n        n      n
        madeBefore     n      n      n       n    n      n       n      n        n      n
        """

    /// The control socket, for a user from whom a policy hides all of these.
    static let hidden = """
                       plain  ready  unmade  own  other  secret  vault  noVault  ended  endedSecret
        list           -      -      -       -    -      -       -      -        -      -
        listAll        -      -      -       -    -      -       -      -        -      -
        describe       -      -      -       -    -      -       -      -        -      -
        describeKind   +      +      +       +    +      -       -      -        +      -
        describeAll    +      +      +       +    +      -       -      -        +      -
        get            -      -      -       -    -      -       -      -        -      -
        subscribe      -      -      -       -    -      -       -      -        -      -
        subscribeAll   -      -      -       -    -      -       -      -        -      -
        subscribeSteps -      -      -       -    -      -       -      -        -      -
        unsubscribe    -      -      -       -    -      -       -      -        -      -
        keepAddress    -      -      -       -    -      -       -      -        -      -
        keepPattern    -      -      -       -    -      -       -      -        -      -
        send           -      -      -       -    -      -       -      -        -      -
        sendNonsense   -      -      -       -    -      -       -      -        -      -
        suggestAddress -      -      -       -    -      -       -      -        -      -
        suggestKind    +      +      +       +    +      -       -      -        +      -
        arrival        -      -      -       -    -      -       -      -        -      -
        arrivalBehind  -      -      -       -    -      -       -      -        -      -
        made           -      -      -       -    -      -       -      -        -      -
        madeBefore     -      -      -       -    -      -       -      -        -      -
        """

    /// The same user at the view socket.
    static let hiddenView = """
                       plain  ready  unmade  own  other  secret  vault  noVault  ended  endedSecret
        list           -      -      -       -    -      -       -      -        -      -
        listAll        -      -      -       -    -      -       -      -        -      -
        describe       -      -      -       -    -      -       -      -        -      -
        describeKind   +      +      +       +    +      -       -      -        +      -
        describeAll    +      +      +       +    +      -       -      -        +      -
        get            -      -      -       -    -      -       -      -        -      -
        subscribe      -      -      -       -    -      -       -      -        -      -
        subscribeAll   -      -      -       -    -      -       -      -        -      -
        subscribeSteps -      -      -       -    -      -       -      -        -      -
        unsubscribe    -      -      -       -    -      -       -      -        -      -
        keepAddress    -      -      -       -    -      -       -      -        -      -
        keepPattern    -      -      -       -    -      -       -      -        -      -
        send           n      n      n       n    n      n       n      n        n      n
        sendNonsense   n      n      n       n    n      n       n      n        n      n
        suggestAddress -      -      -       -    -      -       -      -        -      -
        suggestKind    +      +      +       +    +      -       -      -        +      -
        arrival        -      -      -       -    -      -       -      -        -      -
        arrivalBehind  -      -      -       -    -      -       -      -        -      -
        made           n      n      n       n    n      n       n      n        n      n
        madeBefore     n      n      n       n    n      n       n      n        n      n
        """

    /// The control socket, for a user who may only look at these.
    static let look = """
                       plain  ready  unmade  own  other  secret  vault  noVault  ended  endedSecret
        list           +      +      -       -    +      -       -      -        -      -
        listAll        +      +      -       -    +      -       -      -        -      -
        describe       +      +      +       +    +      -       -      -        -      -
        describeKind   +      +      +       +    +      -       -      -        +      -
        describeAll    +      +      +       +    +      -       -      -        +      -
        get            +      +      u       u    +      -       -      -        -      -
        subscribe      +      +      u       u    +      -       -      -        -      -
        subscribeAll   +      +      -       -    +      -       -      -        -      -
        subscribeSteps +      +      -       -    +      -       -      -        -      -
        unsubscribe    +      +      -       -    +      -       -      -        -      -
        keepAddress    +      +      -       -    +      -       -      -        -      -
        keepPattern    +      +      -       -    +      -       -      -        -      -
        send           n      n      n       n    n      -       -      -        -      -
        sendNonsense   n      n      n       n    n      -       -      -        -      -
        suggestAddress +      +      -       -    +      -       -      -        -      -
        suggestKind    +      +      +       +    +      -       -      -        +      -
        arrival        +      +      -       u    +      -       -      -        +      -
        arrivalBehind  +      +      -       u    +      -       -      -        -      -
        made           +      +      +       +    +      -       -      -        +      -
        madeBefore     +      +      +       +    +      -       -      -        +      -
        """
}
