//! The findings of an import in words.

use domain::Language;
use interchange::FindingCode;

/// The meaning of a finding.
pub(super) const fn told(code: FindingCode, language: Language) -> &'static str {
    let (arabic, english, french) = texts(code);
    match language {
        Language::Arabic => arabic,
        Language::English => english,
        Language::French => french,
    }
}

#[expect(clippy::too_many_lines, reason = "each kind of finding has its texts")]
const fn texts(code: FindingCode) -> (&'static str, &'static str, &'static str) {
    match code {
        FindingCode::BadDate => (
            "تاريخ غير صالح",
            "a date is not valid",
            "une date n’est pas valable",
        ),
        FindingCode::NoStart => ("لا بداية لها", "it has no start", "il n’a pas de début"),
        FindingCode::EndBeforeStart => (
            "النهاية قبل البداية",
            "the end is before the start",
            "la fin précède le début",
        ),
        FindingCode::NoTitle => ("لا عنوان له", "it has no title", "il n’a pas de titre"),
        FindingCode::Recurrence => (
            "تكرار غير معروف هنا",
            "it repeats in a way that is unknown here",
            "il se répète d’une façon inconnue ici",
        ),
        FindingCode::TooLarge => (
            "أكبر من 1 ميبيبايت",
            "it has more than 1 MiB",
            "il a plus de 1 Mio",
        ),
        FindingCode::TooDeep => (
            "أجزاء متداخلة أكثر من 8 مستويات",
            "parts are nested more than 8 levels deep",
            "des parties sont imbriquées sur plus de 8 niveaux",
        ),
        FindingCode::TooManyProperties => (
            "أكثر من 1000 خاصية",
            "it has more than 1,000 properties",
            "il a plus de 1 000 propriétés",
        ),
        FindingCode::TooManyValues => (
            "خاصية لها أكثر من 1000 قيمة",
            "a property has more than 1,000 values",
            "une propriété a plus de 1 000 valeurs",
        ),
        FindingCode::Encoding => (
            "السطر ليس UTF-8، وقُرئ بترميز Windows-1252",
            "the line is not UTF-8, and was read as Windows-1252",
            "la ligne n’est pas en UTF-8, et a été lue en Windows-1252",
        ),
        FindingCode::NoCalendar => (
            "الملف ليس تقويمًا",
            "the file is no calendar",
            "le fichier n’est pas un agenda",
        ),
        FindingCode::NoColon => (
            "سطر بلا نقطتين، فأُهمل",
            "a line has no colon, and was left out",
            "une ligne sans deux-points a été laissée de côté",
        ),
        FindingCode::NotClosed => (
            "جزء بلا نهاية، فأُغلق",
            "a part has no end, and was closed",
            "une partie sans fin a été fermée",
        ),
        FindingCode::UnknownZone => (
            "منطقة زمنية غير معروفة؛ قُرئت التواريخ في منطقة التقويم",
            "a time zone is unknown; dates were read in that of the calendar",
            "un fuseau est inconnu ; les dates ont été lues dans celui de l’agenda",
        ),
        FindingCode::AdjustedTime => (
            "وقت لا وجود له، فاستُبدل",
            "a time that does not exist was replaced",
            "une heure qui n’existe pas a été remplacée",
        ),
        FindingCode::AdjustedValue => (
            "قيمة فيها خطأ: قُرئت كما يُفهم منها، أو أُهملت",
            "a faulty value was read as it is meant, or left out",
            "une valeur fautive a été lue selon son sens, ou laissée de côté",
        ),
        FindingCode::Method => (
            "رد على دعوة، لا يغيّر شيئًا هنا",
            "an answer to an invitation changes nothing here",
            "une réponse à une invitation ne change rien ici",
        ),
        FindingCode::ForeignUid => (
            "معرّفها لفعالية من مصدر آخر، أو كُتبت هنا",
            "its identifier is that of an event of another source, or written here",
            "son identifiant est celui d’un événement d’une autre source, ou écrit ici",
        ),
        FindingCode::Twice => (
            "مكرر في الملف؛ الأحدث هو المعتمد",
            "the file has it twice; the newer one counts",
            "le fichier l’a deux fois ; le plus récent compte",
        ),
        FindingCode::NoUid => (
            "بلا معرّف؛ يُعرف ببدايته وعنوانه ومكانه",
            "it has no identifier, and is known by start, title and place",
            "sans identifiant, il est reconnu par son début, son titre et son lieu",
        ),
        FindingCode::BadValue => (
            "قيمة تخالف قاعدة هنا، مثل الطول",
            "a value breaks a rule, such as a length",
            "une valeur enfreint une règle, par exemple une longueur",
        ),
        FindingCode::Forbidden => (
            "لا يحق لك تعديلها",
            "you may not change it",
            "vous ne pouvez pas le modifier",
        ),
        FindingCode::MoreWarnings => (
            "تحذيرات أخرى لا تظهر هنا",
            "there are more warnings, which are left out",
            "il y a d’autres avertissements, qui sont omis",
        ),
        FindingCode::UnknownParent => (
            "الفعالية التي هي جزء منها ليست هنا؛ أُخذت من دونها",
            "the event that it is a part of is not here; it is taken without",
            "l’événement dont il fait partie n’est pas ici ; il est repris sans",
        ),
        FindingCode::UnknownColumn => (
            "عمود غير معروف، فأُهمل",
            "a column is unknown, and was left out",
            "une colonne inconnue a été laissée de côté",
        ),
        FindingCode::TooManyColumns => (
            "أعمدة كثيرة جدًا",
            "the table has too many columns",
            "le tableau a trop de colonnes",
        ),
        FindingCode::DayFirst => (
            "تواريخ تحتمل قراءتين، قُرئ اليوم فيها أولًا",
            "dates with two meanings were read day first",
            "des dates à double sens ont été lues jour en premier",
        ),
        FindingCode::MonthFirst => (
            "تواريخ تحتمل قراءتين، قُرئ الشهر فيها أولًا",
            "dates with two meanings were read month first",
            "des dates à double sens ont été lues mois en premier",
        ),
        FindingCode::DateOrder => (
            "ترتيب اليوم والشهر يخالف التواريخ الأخرى",
            "the order of day and month contradicts other dates",
            "l’ordre du jour et du mois contredit d’autres dates",
        ),
        FindingCode::NotLinked => (
            "تصنيف أو وسم ليس هنا، أو لا يحق لك إنشاؤه؛ أُخذ السجل من دونه",
            "a category or a tag is not here, or you may not create it; the record is taken without",
            "une catégorie ou une étiquette manque, ou vous ne pouvez pas la créer ; la fiche est reprise sans",
        ),
        FindingCode::TooManyDates => (
            "تواريخ أكثر مما يُحفظ هنا؛ أُخذت من دون بعضها",
            "it has more dates than are kept; it is taken without some",
            "il a plus de dates qu’il n’en est gardé ; il est repris sans certaines",
        ),
        FindingCode::NotReached => (
            "استغرق الاستيراد وقتًا طويلًا وتوقف قبل هذا السجل. كرّره لتكمل",
            "the import took too long, and stopped before it; repeat the import to go on",
            "l’import a pris trop de temps et s’est arrêté avant ; recommencez-le pour continuer",
        ),
    }
}
