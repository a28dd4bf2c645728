//! Random texts, and searches of which many match them.

use crate::Dice;

/// Words that texts share, common ones first.
const WORDS: [&str; 48] = [
    "music",
    "the",
    "a",
    "musical",
    "Jazz",
    "été",
    "c++",
    "ÉTÉ",
    "موسيقى",
    "mus",
    "sic",
    "concert",
    "Concerto",
    "in",
    "2030",
    "100%",
    "off_sale",
    "b",
    "ab",
    "مهرجان",
    "東京",
    "東京都庁前駅",
    "O'Neil's",
    "Straße",
    "strasse",
    "back\\slash",
    "\"quoted\"",
    "<b>bold</b>",
    "Tom & Jerry",
    "1 < 2",
    "\u{fdfa}",
    "\u{fdfb}x",
    "مُوسِيقَى",
    "الـموسيقى",
    "งานดนตรีที่กรุงเทพฯ",
    "हिन्दी",
    "한국어",
    "がっこう",
    "ﬁn",
    "２０３０",
    "½",
    "İstanbul",
    "🎉",
    "👩‍👩‍👧",
    "e\u{301}te\u{301}",
    "a\nb",
    "-minus",
    "--",
];

/// Characters between two words that are written together.
const GLUE: [&str; 16] =
    ["-", "/", "'", ".", ",", "_", "%", "+", "\\", "\u{a0}", "\u{200b}", "’", "&", "\n", "،", ""];

/// Letters of long words, few of them, so that the same few letters often stand side by side.
const ALPHABETS: [&str; 7] = ["ab", "abc", "aB1", "ab+/=", "東京都", "ดนตรี", "مسيق"];

/// First characters of blocks of Unicode: letters, marks, syllables, ideographs, symbols, controls.
const BLOCKS: [u32; 18] = [
    0, 0x20, 0x80, 0x300, 0x600, 0xe00, 0x1100, 0x2000, 0x3040, 0x4e00, 0xac00, 0xfb00, 0xfe00,
    0xff00, 0x1_d400, 0x1_f600, 0x2_0000, 0xe_0100,
];

/// Lengths of long words, in characters, many of them around multiples of 32.
const LENGTHS: [usize; 14] = [5, 29, 31, 32, 33, 34, 35, 63, 64, 65, 66, 97, 150, 300];

/// Lengths of parts of texts, in characters.
const PARTS: [usize; 16] = [1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8, 13, 32, 33, 70];

/// A word; the first ones of the vocabulary are the most frequent.
fn known(dice: &mut Dice) -> &'static str {
    let most = dice.roll(WORDS.len()) + 1;
    WORDS[dice.roll(most)]
}

/// A long word of few letters.
fn long_word(dice: &mut Dice) -> String {
    let alphabet: Vec<char> = dice.pick(&ALPHABETS).chars().collect();
    (0..dice.pick(&LENGTHS)).map(|_| dice.pick(&alphabet)).collect()
}

/// A few characters of any kind.
fn strange_word(dice: &mut Dice) -> String {
    let length = dice.roll(5) + 1;
    let letters = (0..length).map(|_| dice.pick(&BLOCKS) + u32::try_from(dice.roll(0x80)).unwrap());
    letters.filter_map(char::from_u32).collect()
}

/// A word of a text.
fn word(dice: &mut Dice) -> String {
    match dice.roll(12) {
        0 => format!("{}{}{}", known(dice), dice.pick(&GLUE), known(dice)),
        1 => dice.roll(3000).to_string(),
        2 => long_word(dice),
        3 if dice.once_in(2) => strange_word(dice),
        _ => known(dice).to_owned(),
    }
}

/// A text of at most this number of words; it may be empty.
pub fn text(dice: &mut Dice, at_most: usize) -> String {
    let words: Vec<_> = (0..dice.roll(at_most + 1)).map(|_| word(dice)).collect();
    words.join(dice.pick(&[" ", " ", " ", "  ", "\n", ", "]))
}

/// A text of at most three words that is a title.
pub fn title(dice: &mut Dice) -> String {
    let text = text(dice, 2);
    // A title is never empty.
    format!("{text} {}", known(dice))
}

/// A part of a text, or a word if the text is empty.
fn part(dice: &mut Dice, text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.is_empty() {
        return word(dice);
    }
    let from = dice.roll(letters.len());
    letters[from..].iter().take(dice.pick(&PARTS)).collect()
}

/// The same text with another letter at one position.
fn altered(dice: &mut Dice, text: &str) -> String {
    let position = dice.roll(text.chars().count().max(1));
    let letter = dice.pick(&['a', 'b', ' ', 'x']);
    let letters = text.chars().enumerate();
    letters.map(|(n, other)| if n == position { letter } else { other }).collect()
}

/// A word or a phrase of a search of these texts.
fn sought(dice: &mut Dice, texts: &[String]) -> String {
    let mut sought = match dice.roll(8) {
        0 | 1 => word(dice),
        2 => {
            let word = known(dice);
            part(dice, word)
        }
        _ if texts.is_empty() => word(dice),
        _ => {
            let text = dice.pick(texts);
            part(dice, &text)
        }
    };
    if dice.once_in(10) {
        sought = altered(dice, &sought);
    }
    if dice.once_in(2) { format!("\"{sought}\"") } else { sought }
}

/// A search as a person types it, with words and phrases of the vocabulary and of these texts, some
/// of them excluded.
pub fn search(dice: &mut Dice, texts: &[String]) -> String {
    let kind = dice.pick(&[0, 0, 0, 1, 2]);
    let words = (0..dice.pick(&[1, 1, 1, 2, 2, 3])).map(|_| {
        let sought = sought(dice, texts);
        // With 2, every word is excluded.
        let excluded = kind == 2 || kind == 1 && dice.once_in(2);
        if excluded { format!("-{sought}") } else { sought }
    });
    words.collect::<Vec<_>>().join(" ")
}
