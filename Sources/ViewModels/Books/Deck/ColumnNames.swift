import BusdProtocol

/// What names of columns mean, in the languages of Anki's most frequent exports.
enum ColumnNames {
    enum Meaning {
        case front
        case back
        /// Never a side by itself, such as a sound or a number.
        case other
    }

    /// Nil for an unknown name. A word of a longer name counts too, as in `English meaning`.
    static func meaning(of name: String) -> Meaning? {
        let words = words(of: name)
        if !others.isDisjoint(with: words) || others.contains(words.joined(separator: " ")) {
            return .other
        }
        if rank(of: words, in: backs) != nil { return .back }
        return rank(of: words, in: fronts) == nil ? nil : .front
    }

    /// The places, from 0, of the best names for the two sides; nil unless both are known.
    static func sides(of names: [String]) -> (front: Int, back: Int)? {
        func best(_ meaning: Meaning, _ ranks: [String]) -> Int? {
            names.indices.filter { Self.meaning(of: names[$0]) == meaning }.min { a, b in
                let (a, b) = (words(of: names[a]), words(of: names[b]))
                let isLonger = (rank(of: a, in: ranks) ?? 0, a.count)
                return isLonger < (rank(of: b, in: ranks) ?? 0, b.count)
            }
        }
        guard let front = best(.front, fronts), let back = best(.back, backs) else { return nil }
        return (front, back)
    }

    /// Whether each field is a word for a column, and at least two are different.
    static func areTitles(_ fields: [String]) -> Bool {
        let names = fields.filter { !$0.isEmpty }
        let all = names.map { words(of: $0) }
        guard Set(all).count > 1, all.allSatisfy({ $0.count <= mostWords }) else { return false }
        if sides(of: names) != nil { return true }
        // Two words for one side are a card, such as `word` and `das Wort`.
        if names.count == 2, let one = meaning(of: names[0]), one == meaning(of: names[1]) {
            return false
        }
        return names.allSatisfy { name in
            let words = words(of: name)
            return meaning(of: name) != nil
                || !words.isEmpty && words.allSatisfy { titles.contains($0) }
        }
    }

    /// In lowercase, without digits and signs: `Meaning_1` is `meaning`.
    private static func words(of name: String) -> [String] {
        guard name.utf8.count <= longest else { return [] }
        return name.lowercased()  // text: `longest`
            .unicodeScalars.split { !$0.properties.isAlphabetic }.map(String.init)
    }

    private static let longest = 60
    /// Of a title: a longer text is a sentence.
    private static let mostWords = 4

    private static func rank(of words: [String], in list: [String]) -> Int? {
        list.firstIndex { words.contains($0) }
    }

    /// The better names come first.
    private static let fronts = list(
        """
        front question term word expression prompt phrase vocabulary vocab kanji hanzi simplified
        character headword lemma text vorderseite frage begriff wort recto terme mot anverso
        pregunta término palabra fronte domanda termine parola frente pergunta termo palavra
        表 表面 正面 問題 質問 単語 单词 問 вопрос слово
        """)
    private static let backs = list(
        """
        back answer meaning definition translation gloss extra rückseite antwort bedeutung
        definition übersetzung verso réponse sens définition traduction reverso respuesta
        significado definición traducción retro risposta significato traduzione resposta tradução
        裏 裏面 背面 答え 解答 意味 意思 答案 ответ перевод english
        """)
    private static let others = Set(
        list(
            """
            tag tags deck guid uuid id key note_id notetype sound audio image picture photo media
            url link source frequency rank index no number nr num count level lesson chapter unit
            category type pos gender notes note comment comments hint hints
            """) + ["part of speech", "note type", "word type", "word class"])
    /// Names of columns that say nothing about the side.
    private static let titles = Set(
        list(
            """
            reading pronunciation pinyin romaji romanization furigana hiragana katakana kana ipa
            traditional plural singular example examples sentence sentences name date year country
            capital symbol element language description details native foreign target base
            german french spanish italian portuguese dutch swedish danish norwegian finnish polish
            czech russian ukrainian greek latin turkish arabic hebrew hindi persian chinese japanese
            korean vietnamese thai mandarin cantonese deutsch français español italiano português
            """))

    private static func list(_ text: String) -> [String] {
        text.split { $0 == " " || $0 == "\n" }.map(String.init)
    }
}
