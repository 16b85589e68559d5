import BusdProtocol
import BusdViewModels

extension [KindCheck] {
    /// The kinds of things of busd. The kinds of another daemon are not known before it registers
    /// them.
    static let ofBusd = [KindCheck(Game.self), KindCheck(Book.self), KindCheck(User.self)]
}
