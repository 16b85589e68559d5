import BusdDaemon
import CounterViewModels

@main enum Counterd {
    static func main() {
        BusDaemon(name: "counterd", version: "1.0", summary: "Counts the people in a hall.").run {
            host in
            host.register(CounterViewModel.self, services: Library(host.libraries))
            host.register(FunctionViewModel<BillFunction>.self)
        }
    }
}
