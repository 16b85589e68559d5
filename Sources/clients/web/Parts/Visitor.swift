/// The browser that asks for a page.
package enum Visitor {
    /// It was never paired, or phones cannot be paired here.
    case browser
    case phone(Pairing)
    /// Its pairing has ended, or is one of another server on this machine.
    case formerPhone
}
