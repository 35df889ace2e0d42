/**
 * The page's own words, in every language the table speaks. What the game says comes from the referee in finished sentences.
 *
 * Here: one catalogue a language (a missing word does not compile) and `say`. Not here: choosing the language (model.ts).
 * `{name}` is filled in. No word here depends on a number, so none needs plural forms.
 */

const en = {
  online: "Online",
  catching: "Catching up",
  offline: "Offline",
  yourTurn: "Your turn",
  who: "Who",
  where: "Where",
  choose: "Choose",
  play: "Play {what}",
  confirm: "Confirm",
  optional: "If you like",
  rule: "Rule {clause}",
  close: "Close",
  total: "Total {n} of {max}",
  totalFrom: "Total {n}; at least {min}, at most {max}",
  less: "Less: {what}",
  more: "More: {what}",
  careful: "Careful",
  waitingFor: "Waiting for",
  nothingToDo: "Nothing to do now",
  nothingToDoWhy: "Look at the table; this phone tells you when it is your turn.",
  behind: "Behind the curtain",
  hold: "Hold to look behind",
  holdWhy: "Closes when you let go or put the phone down.",
  holdOld: "Shows what was known at {time}.",
  held: "Held open",
  heldWhy: "Let go to close",
  kept: "Open",
  keptWhy: "Tap to close",
  keep: "keep 20 s",
  keptLeft: "{n} s",
  offlineTitle: "No line to the table",
  offlineWhy: "This phone keeps trying. Is it on the same Wi‑Fi as the tablet?",
  catchingTitle: "Back on the Wi‑Fi",
  catchingWhy: "Fetching the whole table.",
  tableAway: "The table program is not running. The game is safe; it goes on when the table is back.",
  stepFound: "found",
  stepFetching: "fetching",
  stepOnline: "online",
  queue: "Your choice on the way",
  queueWaits: "Waits here. Sent once, when the table is back.",
  queueSent: "Sent; the table has not answered yet. It counts once, however often it is sent.",
  queuePrivate: "Your secret choice",
  takeBack: "Take it back",
  refusedTitle: "Not possible",
  refusedPrivate: "The table refused your secret choice. Look behind the curtain for the reason.",
  changed: "The question has changed. Nothing was done.",
  instead: "Possible instead: {what}",
  done: "Your choice counts.",
  understood: "I see",
  asOf: "As of {time}",
  track: "Track",
  board: "Board",
  seats: "Seats",
  more_: "More",
  log: "What happened",
  earlier: "Earlier",
  empty: "empty",
  unknown: "?",
  faceDown: "face down",
  you: "you",
  mustAct: "must act",
  stepDone: "done",
  stepNow: "now",
  stepTodo: "to come",
  settings: "This phone",
  language: "Language",
  theme: "Light",
  themeAuto: "as the phone",
  themeDay: "day",
  themeNight: "night",
  size: "Text size",
  buzz: "Buzz on my turn",
  on: "on",
  off: "off",
  connecting: "Looking for the table",
  connectingWhy: "This takes a moment.",
  waitingTitle: "The table must agree",
  waitingWhy: "Somebody already sits here. Ask at the tablet: it shows your wish to move to this phone.",
  revokedTitle: "This code is no longer valid",
  revokedWhy: "The seat moved to another phone. This phone is no longer part of the game. To come back, scan the seat’s code at the tablet.",
  movedTitle: "Open in another window",
  movedWhy: "This seat is on another screen now. Use only one.",
  useHere: "Use it here",
  codeTitle: "Scan the code at the tablet",
  codeNone: "This page needs your seat’s QR code. The tablet shows one for each seat.",
  codeBad: "The address is cut off or mistyped. Scan the seat’s QR code again instead of typing it.",
  codeOldTitle: "This code is no longer valid",
  codeOld: "A newer one was shown for this seat, or another game is on the table. Scan the seat’s code at the tablet.",
  oldTitle: "This page is old",
  oldWhy: "The table speaks a newer version. Load the page again.",
  reload: "Reload",
};

export type Word = keyof typeof en;

const ru: Record<Word, string> = {
  online: "На связи",
  catching: "Догоняет",
  offline: "Нет связи",
  yourTurn: "Ваш ход",
  who: "Кто",
  where: "Куда",
  choose: "Выберите",
  play: "Сыграть: {what}",
  confirm: "Подтвердить",
  optional: "По желанию",
  rule: "Правило {clause}",
  close: "Закрыть",
  total: "Всего {n} из {max}",
  totalFrom: "Всего {n}; не меньше {min}, не больше {max}",
  less: "Меньше: {what}",
  more: "Больше: {what}",
  careful: "Осторожно",
  waitingFor: "Ждём",
  nothingToDo: "Сейчас делать нечего",
  nothingToDoWhy: "Смотрите на стол: телефон скажет, когда придёт ваш ход.",
  behind: "За занавесом",
  hold: "Держите, чтобы заглянуть",
  holdWhy: "Закроется, когда отпустите или положите телефон.",
  holdOld: "Покажет то, что было известно в {time}.",
  held: "Открыто",
  heldWhy: "Отпустите — закроется",
  kept: "Открыто",
  keptWhy: "Нажмите — закроется",
  keep: "на 20 с",
  keptLeft: "{n} с",
  offlineTitle: "Нет связи со столом",
  offlineWhy: "Телефон пробует снова и снова. Он в той же сети Wi‑Fi, что и планшет?",
  catchingTitle: "Снова в сети",
  catchingWhy: "Получаем весь стол целиком.",
  tableAway: "Программа стола не запущена. Партия цела и продолжится, когда стол вернётся.",
  stepFound: "нашли",
  stepFetching: "получаем",
  stepOnline: "на связи",
  queue: "Ваш выбор в пути",
  queueWaits: "Ждёт здесь. Уйдёт один раз, когда стол вернётся.",
  queueSent: "Отправлено, стол ещё не ответил. Засчитается один раз, сколько бы раз ни отправлялось.",
  queuePrivate: "Ваш тайный выбор",
  takeBack: "Забрать назад",
  refusedTitle: "Так нельзя",
  refusedPrivate: "Стол не принял ваш тайный выбор. Причина — за занавесом.",
  changed: "Вопрос уже другой. Ничего не сделано.",
  instead: "Можно: {what}",
  done: "Ваш выбор принят.",
  understood: "Понятно",
  asOf: "На {time}",
  track: "Дорожка",
  board: "Поле",
  seats: "Места",
  more_: "Ещё",
  log: "Что было",
  earlier: "Раньше",
  empty: "пусто",
  unknown: "?",
  faceDown: "лицом вниз",
  you: "вы",
  mustAct: "ходит",
  stepDone: "сделано",
  stepNow: "сейчас",
  stepTodo: "впереди",
  settings: "Этот телефон",
  language: "Язык",
  theme: "Свет",
  themeAuto: "как в телефоне",
  themeDay: "день",
  themeNight: "ночь",
  size: "Размер текста",
  buzz: "Вибрация на мой ход",
  on: "да",
  off: "нет",
  connecting: "Ищем стол",
  connectingWhy: "Это займёт мгновение.",
  waitingTitle: "Стол должен согласиться",
  waitingWhy: "Это место занято. Спросите у планшета: он показывает, что вы хотите перейти на этот телефон.",
  revokedTitle: "Этот код больше не действует",
  revokedWhy: "Место перешло на другой телефон. Этот телефон больше не в партии. Чтобы вернуться, отсканируйте код места на планшете.",
  movedTitle: "Открыто в другом окне",
  movedWhy: "Это место теперь на другом экране. Пользуйтесь только одним.",
  useHere: "Открыть здесь",
  codeTitle: "Отсканируйте код на планшете",
  codeNone: "Странице нужен QR-код вашего места. Планшет показывает код для каждого места.",
  codeBad: "Адрес обрезан или набран с ошибкой. Отсканируйте QR-код места ещё раз, не набирайте его.",
  codeOldTitle: "Этот код больше не действует",
  codeOld: "Для места показали новый код, или на столе другая партия. Отсканируйте код места на планшете.",
  oldTitle: "Страница устарела",
  oldWhy: "Стол говорит на новой версии. Загрузите страницу снова.",
  reload: "Загрузить снова",
};

/** Longer by 40 %, with accents: shows what overflows and what was never given to `say`. Only by `?lang=xx`, for tests. */
const pseudo = Object.fromEntries(
  Object.entries(en).map(([word, text]) => {
    const marked = text.replace(/\{[a-z]+\}|[aeiou]/g, (part) => (part.length > 1 ? part : ({ a: "á", e: "é", i: "í", o: "ó", u: "ú" }[part] ?? part)));
    return [word, `${marked}${" ~~~~".repeat(Math.ceil(text.length * 0.08))}`];
  }),
) as Record<Word, string>;

const CATALOGUES = { en, ru, xx: pseudo };
export type Lang = "en" | "ru";
export const LANGUAGES: readonly { lang: Lang; name: string }[] = [
  { lang: "en", name: "English" },
  { lang: "ru", name: "Русский" },
];

export function isLang(value: unknown): value is Lang {
  return LANGUAGES.some(({ lang }) => lang === value);
}

/** The first of the browser's languages that we speak. */
export function preferred(languages: readonly string[]): Lang {
  for (const each of languages) {
    const short = each.slice(0, 2).toLowerCase();
    if (isLang(short)) return short;
  }
  return "en";
}

export type Say = (word: Word, args?: Record<string, string | number>) => string;

export function speaker(lang: Lang | "xx"): Say {
  const catalogue = CATALOGUES[lang];
  return (word, args = {}) => catalogue[word].replace(/\{([a-z]+)\}/g, (whole, name: string) => String(args[name] ?? whole));
}
