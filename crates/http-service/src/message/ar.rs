//! Arabic.
//!
//! Arabic nouns have six forms for numbers. In these texts a number follows its noun, which then
//! has one form. Only lists of names have forms for one, for two and for more.

mod recurrence;

use app::{
    error::{AppError, CredentialKind},
    fault::{BadFields, ExpectedType, Fault, MAX_LIST, MAX_TEXT_BYTES, Range, ReferenceKind},
    ports::{BadImage, FetchError, MAX_IMAGE_BYTES, StoreError},
};
use domain::{
    Kind, Role,
    cost::{Cost, InvalidCost},
    html::RichText,
    image::{Dimensions, InvalidDimensions},
    source::{InvalidSourceName, SourceName},
    text::{InvalidTitle, Title},
    ticket::{EndsBeforeStart, InvalidPrice, Price},
    time::{InvalidDate, InvalidEventTime, InvalidZone},
    web_url::{InvalidWebUrl, WebUrl},
};

use crate::error::{ApiError, InvalidJson};

pub(super) fn error(error: &ApiError) -> String {
    let text = match error {
        ApiError::NoRoute => "لا يوجد مسار يطابق هذا العنوان وهذه الطريقة.",
        ApiError::UnknownNamespace => "لا توجد مساحة أسماء بهذا الاسم.",
        ApiError::NotLoggedIn => "لم تسجّل الدخول.",
        ApiError::InvalidJson(_) => "محتوى الطلب ليس JSON صالحًا.",
        ApiError::TooLarge { limit } => {
            return format!("حجم محتوى الطلب أكبر من الحد المسموح به ({limit} بايت).");
        }
        ApiError::UriTooLong { limit } => {
            return format!("معاملات العنوان أطول من الحد المسموح به ({limit} بايت).");
        }
        ApiError::BadIdempotencyKey => "يجب أن يتكوّن Idempotency-Key من 1 إلى 255 حرفًا مرئيًا.",
        ApiError::UnreadableForm => "تعذّرت قراءة النموذج المرسل بصيغة multipart.",
        ApiError::SeveralHosts => "يحمل الطلب عدة ترويسات Host.",
        ApiError::UnsupportedBody => "لا تقرأ الخدمة JSON Patch ولا نصًا ذا ترميز Content-Encoding.",
        ApiError::NoImage => {
            "يُرجى إرسال صورة بصيغة PNG أو JPEG أو GIF أو WebP محتوى للطلب، أو ملفًا في نموذج multipart."
        }
        ApiError::NoCalendarFile => {
            "أرسل ملف iCalendar بنوع المحتوى text/calendar، أو جدولًا بنوع text/csv."
        }
        ApiError::TooManyEvents { limit } => {
            return format!("يتجاوز عدد فعاليات الملف {limit}.");
        }
        ApiError::TooMuchToImport => {
            "يحتوي الملف على عدد كبير جدًا من الفعاليات أو التكرارات أو المصطلحات أو الأعمدة لطلب واحد. استورده على الخادم بالأمر events-calendar import."
        }
        ApiError::Overloaded => "الطلبات كثيرة جدًا في هذه اللحظة. يُرجى المحاولة لاحقًا.",
        ApiError::ReadOnly => "هذا التقويم هنا للقراءة فقط.",
        ApiError::TooManyWaiting => "عدد كبير جدًا من طلباتك ينتظر التغييرات.",
        ApiError::TooSlow => "استغرق الطلب وقتًا أطول من المسموح به.",
        ApiError::TokenExpired { full_url, .. } => {
            return format!("انتهت صلاحية الرمز. اقرأ كل السجلات من جديد ابتداءً من {full_url}.");
        }
        ApiError::Moved { kind, to } => {
            let kind = this(*kind);
            return format!("لم يُعثر على {kind} بهذا العنوان؛ العنوان الحالي: {to}");
        }
        ApiError::App(error) => return app(error),
    };
    text.to_owned()
}

fn app(error: &AppError) -> String {
    let text = match error {
        AppError::Missing(fields) => return missing(fields),
        AppError::Invalid(faults) => {
            let names: Vec<_> = faults.keys().map(|name| &**name).collect();
            let head = match names.len() {
                1 => "معامل غير صالح",
                2 => "معاملان غير صالحين",
                _ => "معاملات غير صالحة",
            };
            return format!("{head}: {}", names.join("، "));
        }
        AppError::Unauthenticated => {
            "سجّل الدخول للقيام بذلك، باسم مستخدم وكلمة مرور تطبيق، أو برمز دخول."
        }
        AppError::BadCredentials(CredentialKind::Basic) => "اسم المستخدم أو كلمة المرور غير صحيحة.",
        AppError::BadCredentials(CredentialKind::Bearer) => {
            "رمز الدخول غير معروف، أو أُلغي، أو انتهت صلاحيته."
        }
        AppError::TooManyAttempts { .. } => "محاولات تسجيل الدخول الفاشلة كثيرة جدًا.",
        AppError::TooManyPasswords { .. } => "أُرسل عدد كبير جدًا من كلمات المرور الخاطئة.",
        AppError::Forbidden => "لا يُسمح لك بالقيام بذلك. سجّل الدخول بحساب له هذا الحق.",
        AppError::NotFound(kind) => return format!("لم يُعثر على {}.", this(*kind)),
        AppError::NotAccessible(kind) => {
            let login = "سجّل الدخول بحساب كاتب السجل أو بحساب محرر.";
            return format!("لا يمكنك الاطلاع على {}. {login}", this(*kind));
        }
        AppError::NoLongerAvailable => "لم تعد هذه الفعالية متاحة.",
        AppError::PasswordProtected => "هذه الفعالية محمية بكلمة مرور: أرسلها في الحقل `password`.",
        AppError::InTrash(kind) => return format!("سبق نقل {} إلى سلة المهملات.", this(*kind)),
        AppError::PreconditionFailed => "تغيّر السجل منذ ذلك الحين.",
        AppError::KeyReused => "سبق إرسال Idempotency-Key هذا مع طلب آخر.",
        AppError::PageNotFound(_) => "لا توجد في القائمة صفحة بهذا الرقم.",
        AppError::FeedTooLarge { total, limit } => {
            return format!(
                "عدد الفعاليات {total} أكبر من الحد {limit} للخلاصة. أرسل مرشحات أو تواريخ."
            );
        }
        AppError::UnknownEvent(field) => return format!("الحقل {field} لا يشير إلى أي فعالية."),
        AppError::TermExists { .. } => "هذا الاسم مستخدم بالفعل.",
        AppError::DuplicateTermSlug => "هذا الاسم المختصر (slug) مستخدم بالفعل.",
        AppError::EmptyTermName => "يجب ألا يكون الاسم فارغًا.",
        AppError::NotHierarchical => "لا يمكن أن يكون للوسم أصل.",
        AppError::TokenExpired(_) => "انتهت صلاحية الرمز. اقرأ كل السجلات من جديد.",
        AppError::FeedNotFound => "لم يُعثر على هذه الخلاصة.",
        AppError::TooManyFeeds(limit) => {
            return format!("لديك {limit} من الخلاصات، وهو الحد الأقصى للمستخدم. احذف واحدة أولًا.");
        }
        AppError::SourceNotFound => "لم يُعثر على هذا المصدر.",
        AppError::SourceRunning => "تجري قراءة المصدر الآن. أعد المحاولة بعد انتهائها.",
        AppError::TooManySources(limit) => {
            return format!("الحد الأقصى لمصادر التقويم {limit}. احذف مصدرًا أولًا.");
        }
        AppError::DuplicateNotFound => "لم يُعثر على زوج السجلات المتكررة هذا.",
        AppError::DuplicateChanged => "تغيّر أحد سجلي الزوج، أو أُغلق الزوج. اقرأ القائمة من جديد.",
        AppError::RevisionNotFound => "ليس للسجل هذه المراجعة، أو أنها قديمة جدًا.",
        AppError::ImageNotFound => "لم يُعثر على هذه الصورة.",
        AppError::BadImage(bad) => return format!("الملف: {}.", of_image(bad)),
        AppError::Overloaded
        | AppError::Files(_)
        | AppError::Store(StoreError::Unavailable(_) | StoreError::Conflict) => {
            "لا يمكن للخدمة الرد في الوقت الحالي. يُرجى المحاولة لاحقًا."
        }
        AppError::Store(StoreError::Internal(_)) => "حدث خطأ من جانبنا.",
    };
    text.to_owned()
}

pub(super) fn field(field: &str, fault: &Fault) -> String {
    format!("الحقل {field}: {}", predicate(fault))
}

#[expect(clippy::too_many_lines, reason = "one arm for each fault")]
fn predicate(fault: &Fault) -> String {
    let text = match fault {
        Fault::Type(wanted) => return format!("يجب أن يكون {}", a_wanted(*wanted)),
        Fault::Empty
        | Fault::Title(InvalidTitle::Empty)
        | Fault::SourceName(InvalidSourceName::Empty) => "يجب ألا يكون فارغًا",
        Fault::NotOneOf(words) => {
            return format!("يجب أن يكون واحدًا مما يلي: {}", words.join("، "));
        }
        Fault::RequiresCapability(capability) => {
            let role = roles(capability.least_role());
            return format!("لا تُقبل هذه القيمة إلا إذا سجّلت الدخول بصفة {role}");
        }
        Fault::OutOfRange(Range::From(min)) => return format!("يجب ألا يقل عن {min}"),
        Fault::OutOfRange(Range::Within(min, max)) => {
            return format!("يجب أن يقع بين {} و{max}", signed(*min));
        }
        Fault::OutOfRange(Range::Above(min, max)) => {
            return format!("يجب أن يزيد على {min} وألا يتجاوز {max}");
        }
        Fault::RequiresField(other) => return format!("يجب إرساله مع {other}"),
        Fault::TooLong(max) => return at_most("عدد الأحرف", *max),
        Fault::TextsTooLong => {
            return format!("يجب ألا تتجاوز النصوص في الحقول مجتمعة {MAX_TEXT_BYTES} بايت");
        }
        Fault::TooMany => return at_most("عدد القيم", MAX_LIST),
        Fault::Title(InvalidTitle::TooLong { chars }) => {
            return exceeds("عدد الأحرف", Title::MAX_CHARS, *chars);
        }
        Fault::RichText(long) => return exceeds("عدد البايتات", RichText::MAX_BYTES, long.bytes),
        Fault::Date(reason) | Fault::EventTime(InvalidEventTime::OutOfRange(reason)) => {
            date(*reason)
        }
        Fault::EventTime(InvalidEventTime::EndBeforeStart) => "يجب ألا تسبق النهاية البداية",
        Fault::Zone(InvalidZone::Unknown) => "ليس منطقة زمنية معروفة",
        Fault::Zone(InvalidZone::OffsetOutOfRange) => {
            "يجب ألا يتأخر عن التوقيت العالمي UTC أكثر من 12 ساعة وألا يسبقه بأكثر من 14 ساعة"
        }
        Fault::WebUrl(InvalidWebUrl::Scheme) => "يجب أن يبدأ بالبادئة http:// أو https://",
        Fault::WebUrl(InvalidWebUrl::Character) => {
            "يجب أن يتكوّن من محارف قابلة للطباعة من دون مسافات"
        }
        Fault::WebUrl(InvalidWebUrl::Host) => "يجب أن يتضمن اسم مضيف",
        Fault::WebUrl(InvalidWebUrl::TooLong { bytes }) => {
            return exceeds("عدد البايتات", WebUrl::MAX_BYTES, *bytes);
        }
        Fault::WebUrl(InvalidWebUrl::Credentials) => "يجب ألا يحتوي على اسم أو كلمة مرور",
        Fault::Every(_) => "يجب أن يكون من 5m إلى 7d، مثل 30m أو 6h أو 1d",
        Fault::SourceName(InvalidSourceName::TooLong) => {
            return at_most("عدد الأحرف", SourceName::MAX_CHARS);
        }
        Fault::SourceName(InvalidSourceName::Control) => "يجب أن يكون سطرًا واحدًا من دون محارف تحكم",
        Fault::Taken => "مستخدم بالفعل",
        Fault::Fixed => "لا يمكن تغييره",
        Fault::HidesPublic => "يجب أن يكون السجل العام من بين السجلين",
        Fault::NotTakeable => "لا يمكن أن يأتي من هذا السجل",
        Fault::NotRestorable => "كانت له قيمة سابقة لا يمكن استعادتها",
        Fault::OfOneRecord => "لا يمكن إرساله إلا عند قراءة سجل واحد",
        Fault::NoAuthor => "يجب أن يشير إلى مستخدم غير معطّل، وهو كاتب أو محرر أو مدير",
        Fault::Cost(InvalidCost::Negative { amount }) => {
            return format!("يجب ألا يكون سالبًا (القيمة المرسلة: {LTR}-{amount})");
        }
        Fault::Cost(InvalidCost::TooLong { chars }) => {
            return exceeds("عدد الأحرف", Cost::MAX_CHARS, *chars);
        }
        Fault::Cost(InvalidCost::TooMany { amounts }) => {
            return exceeds("عدد المبالغ", Cost::MAX_AMOUNTS, *amounts);
        }
        Fault::TicketPrice(InvalidPrice::Form) => "يجب أن يكون عددًا عشريًا مثل 12.50",
        Fault::TicketPrice(InvalidPrice::Negative) => "يجب ألا يكون سالبًا",
        Fault::TicketPrice(InvalidPrice::TooLong) => {
            return format!(
                "يجب ألا يتجاوز عدد الأرقام {} وعدد المنازل العشرية {}",
                Price::MAX_DIGITS,
                Price::MAX_DECIMALS
            );
        }
        Fault::OnSale(EndsBeforeStart) => "يجب ألا يسبق available_from",
        Fault::CircularParent(Kind::Category) => {
            "يجب ألا يشير إلى التصنيف نفسه ولا إلى تصنيف أدنى منه"
        }
        Fault::CircularParent(_) => "يجب ألا يشير إلى السجل نفسه ولا إلى جزء منه",
        Fault::Items(items) => {
            let items: Vec<_> = items
                .iter()
                .map(|(index, cause)| format!("[{index}] {}", cause_of(cause)))
                .collect();
            return unusable(&items.join("، "));
        }
        Fault::Recurrence(bad) => return recurrence::fault(bad),
        Fault::Member { name, fault } => return field(name, fault),
        Fault::OfOccurrenceOnly => "لا تُقبل هذه القيمة إلا مع scope=this",
        Fault::OfSeriesOnly => "لا تُقبل هذه القيمة إلا مع scope=following أو scope=all",
        Fault::ScopeOfSeries => "يجب أن يكون all لأن الفعالية سلسلة متكررة",
        Fault::Token => "يجب أن يكون رمزًا ورد في أحد ردود هذا الموقع",
        Fault::KindsOfToken => "يجب أن يطابق أنواع الرمز أو أن يُحذف",
        Fault::Slug => "يجب أن يحتوي على حرف أو رقم",
        Fault::UnknownReference(named) => return format!("لا يشير إلى أي {}", a_named(*named)),
        Fault::UnknownField {
            nearest: Some(name),
        } => return format!("غير معروف. هل تقصد {name}؟"),
        Fault::UnknownField { nearest: None } => "غير معروف",
        Fault::File => "لا يمكن أن يكون ملفًا، فلا يُقبل إلا ملف صورة لفعالية أو مكان أو جهة منظِّمة",
        Fault::Encoding => "يجب أن يكون نصًا بترميز UTF-8 أو بالترميز المذكور في Content-Type",
        Fault::Repeated => "يجب إرساله مرة واحدة فقط",
        Fault::TooManyImageUrls(max) => {
            return at_most("عدد عناوين الصور في الطلب الواحد", *max);
        }
        Fault::TooManyGone => "يجب ألا يُرسل لأن الملف غير مكتمل أو لا يتضمن نصف الفعاليات القادمة",
        Fault::Fetch(FetchError::Forbidden) => {
            "يجب أن يكون عنوانًا عامًا من دون اسم مستخدم أو كلمة مرور"
        }
        Fault::Fetch(FetchError::NoAnswer) => "لا يستجيب",
        Fault::Fetch(FetchError::NotAnImage) => "لا يؤدي إلى صورة بصيغة PNG أو JPEG أو GIF أو WebP",
        Fault::Fetch(FetchError::TooLarge(max)) => {
            return format!("يؤدي إلى ملف أكبر من الحد المسموح به ({max} بايت)");
        }
        Fault::Image(bad) => {
            return format!("لا يمكن استخدامه كصورة: {}", of_image(bad));
        }
        Fault::Inline { kind, cause } => {
            let kind = a_named(ReferenceKind::Record(*kind));
            return format!("لا يمكن إنشاء {kind} منه: {}", cause_of(cause));
        }
    };
    text.to_owned()
}

fn unusable(cause: &str) -> String {
    format!("لا يمكن استخدامه: {cause}")
}

/// Why a file is refused.
fn of_image(bad: &BadImage) -> String {
    match bad {
        BadImage::TooLarge => format!("حجمه أكبر من الحد المسموح به ({MAX_IMAGE_BYTES} بايت)"),
        BadImage::NotAnImage => "ليس صورة بصيغة PNG أو JPEG أو GIF أو WebP".to_owned(),
        BadImage::Misnamed { said, is } => {
            format!("معلن عنه بصيغة {said}، لكن صيغة محتواه {is}")
        }
        BadImage::Dimensions(InvalidDimensions { width, height }) => format!(
            "يجب ألا يتجاوز طول الضلع {} بكسل ولا عدد البكسلات {} (المرسل: {width} × {height})",
            Dimensions::MAX_SIDE,
            Dimensions::MAX_PIXELS
        ),
        BadImage::Memory => "قراءته تتطلب ذاكرة أكثر من المسموح به".to_owned(),
        BadImage::Broken(_) => "تالف".to_owned(),
    }
}

fn cause_of(bad: &BadFields) -> String {
    match bad {
        BadFields::Missing(fields) => missing(fields),
        BadFields::Invalid(faults) => {
            let texts: Vec<_> = faults
                .iter()
                .map(|(name, fault)| field(name, fault))
                .collect();
            texts.join("؛ ")
        }
    }
}

fn missing(fields: &[&str]) -> String {
    let head = match fields.len() {
        1 => "معامل مفقود",
        2 => "معاملان مفقودان",
        _ => "معاملات مفقودة",
    };
    format!("{head}: {}", fields.join("، "))
}

/// The left-to-right mark, which keeps the sign of a number before its digits.
const LTR: char = '\u{200e}';

fn signed(number: i32) -> String {
    if number < 0 {
        format!("{LTR}{number}")
    } else {
        number.to_string()
    }
}

fn at_most(what: &str, max: usize) -> String {
    format!("يجب ألا يتجاوز {what} {max}")
}

fn exceeds(what: &str, max: usize, number: usize) -> String {
    format!("{} (العدد الحالي: {number})", at_most(what, max))
}

const fn date(reason: InvalidDate) -> &'static str {
    match reason {
        InvalidDate::Empty => "يجب ألا يكون فارغًا",
        InvalidDate::Unreadable => "ليس تاريخًا بصيغة معروفة",
        InvalidDate::NotUnixTime => "هذا عدد، لكنه ليس توقيت Unix من تسعة أرقام أو أكثر",
        InvalidDate::ImpossibleDay => "هذا اليوم غير موجود في التقويم",
        InvalidDate::ImpossibleTime => "هذه الساعة غير موجودة",
        InvalidDate::OutOfRange => "يجب أن يقع بين العامين 1 و9999",
    }
}

const fn a_wanted(wanted: ExpectedType) -> &'static str {
    match wanted {
        ExpectedType::Text => "نصًا",
        ExpectedType::Boolean => "true (صحيح) أو false (خطأ)",
        ExpectedType::WholeNumber => "عددًا صحيحًا",
        ExpectedType::Number => "عددًا",
        ExpectedType::Date => "تاريخًا",
        ExpectedType::Price => "نصًا أو عددًا أو قائمة منهما",
        ExpectedType::Currency => "رمز عملة من ثلاثة أحرف",
        ExpectedType::ImageId => "معرّف صورة أو عنوانها",
        ExpectedType::IdsAndNames => "قائمة من المعرّفات والأسماء",
        ExpectedType::Tickets => "قائمة تذاكر",
        ExpectedType::Recurrence => "قاعدة تكرار أو قائمة أسطر أو كائنًا",
        ExpectedType::FieldSources => "كائنًا من أسماء الحقول ومعرّفات السجلات",
        ExpectedType::FieldNames => "true (صحيح) أو قائمة بأسماء الحقول",
        ExpectedType::Email => "عنوان بريد إلكتروني",
    }
}

/// A role and the higher roles.
fn roles(least: Role) -> &'static str {
    match least {
        Role::Subscriber => "مستخدم",
        Role::Contributor => "مساهم أو كاتب أو محرر أو مدير",
        Role::Author => "كاتب أو محرر أو مدير",
        Role::Editor => "محرر أو مدير",
        Role::Administrator => "مدير",
    }
}

const fn this(kind: Kind) -> &'static str {
    match kind {
        Kind::Event => "هذه الفعالية",
        Kind::Venue => "هذا المكان",
        Kind::Organizer => "هذا المنظِّم",
        Kind::Category => "هذا التصنيف",
        Kind::Tag => "هذا الوسم",
    }
}

const fn a_named(named: ReferenceKind) -> &'static str {
    match named {
        ReferenceKind::Record(Kind::Event) => "فعالية",
        ReferenceKind::Record(Kind::Venue) => "مكان",
        ReferenceKind::Record(Kind::Organizer) => "منظِّم",
        ReferenceKind::Record(Kind::Category) => "تصنيف",
        ReferenceKind::Record(Kind::Tag) => "وسم",
        ReferenceKind::User => "مستخدم",
        ReferenceKind::Image => "صورة",
    }
}

pub(super) fn json(reason: InvalidJson) -> String {
    match reason {
        InvalidJson::Syntax { line, column } => {
            format!("خطأ في الصياغة عند السطر {line}، العمود {column}.")
        }
        InvalidJson::TooDeep => "القيم متداخلة أكثر من اللازم.".to_owned(),
        InvalidJson::BrokenOff => "انقطع محتوى الطلب قبل نهايته.".to_owned(),
    }
}
