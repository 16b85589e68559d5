@main enum BenchBooks {
    static func main() throws {
        measureLists()
        try measureLibrary()
        measureTexts()
    }
}
