import BusdDaemon
import ShoppingViewModels

@main enum Shoppingd {
    static func main() {
        BusDaemon(name: "shoppingd", version: "1.0", summary: "Keeps shopping lists.").run { host in
            host.register(ShoppingViewModel.self, services: Library(host.libraries))
        }
    }
}
