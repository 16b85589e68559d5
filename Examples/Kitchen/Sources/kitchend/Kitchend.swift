import BusdDaemon
import KitchenViewModels

@main enum Kitchend {
    static func main() {
        BusDaemon(name: "kitchend", version: "1.0", summary: "Keeps the orders of a kitchen.")
            .run(.kitchen)
    }
}
