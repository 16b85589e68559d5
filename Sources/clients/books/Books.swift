@main enum BooksProgram {
    static func main() {}
}
