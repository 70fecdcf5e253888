import type { Language } from './sentences.ts';

/** Languages besides English, in which questions are understood and answered. */
export type Code = 'de' | 'es' | 'fr' | 'pt' | 'tr' | 'ko';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Folded words that few other languages have. */
const SIGNS: Readonly<Record<Exclude<Code, 'ko'>, ReadonlySet<string>>> = {
  de: words(`preis preise kurs kostet wieviel viel wie ist der die das und fur von vom zu zum zur ich mir mich meine meiner meinen wenn uber
    unter heute gestern woche monat jahr tage stunden marktkapitalisierung handelsvolumen volumen vergleiche vergleich grosste grossten
    gewinner verlierer welche welcher welches besten unterstutzung widerstand allzeithoch allzeittief hoch tief wert warum soll sollte kaufen
    verkaufen kannst du bist danke schon hallo fuge tschuss wiedersehen nacht hinzu entferne benachrichtige alarm korrelation zwischen volatilitat volatil gekauft
    habe zeig zeige fallt steigt lauft markt kryptomarkt gestiegen gefallen dominanz umlaufmenge hilfe bitte finanzierungsrate offene vor zwei drei tagen wochen monaten jahren guten wer hat was mit im am setze`),
  es: words(`precio cuanto cuesta vale el la los las del que cual cuales como y por para cuantas preguntas quedan tengo hoy ayer esta semana mes ano capitalizacion volumen
    compara mejores mayores monedas moneda subieron bajaron subidas bajadas caidas ganancias mercado soporte resistencia maximo minimo
    historico volatilidad correlacion compre deberia comprar vender puedes gracias muchas adios luego noches hola anade agrega quita avisame alerta cuando
    supere lista seguimiento noticias es tasa financiacion interes abierto baja sube hace dos tres meses dias semanas en entre pon mi mis hacen ayuda suministro`),
  fr: words(`prix cours combien coute le les des du et quel quelle quels quelles est pour aujourd hui hier semaine mois annee capitalisation
    boursiere  meilleurs plus fortes hausses baisses marche comment va vont   haut bas historique volatilite
     achete dois acheter vendre peux tu merci beaucoup bonjour ajoute retire previens moi alerte quand depasse liste suivi
    pourquoi baisse monte ma mon mes font que evolution cryptos entre taux financement interet ouvert il deux trois jours semaines revoir nuit aide mets`),
  pt: words(`com preco quanto custa vale o os do da dos das e qual quais como hoje ontem semana mes ano capitalizacao  melhores maiores moedas
    moeda subiram cairam altas quedas baixas mercado suporte resistencia maxima minima historica volatilidade correlacao comprei devo comprar
    vender voce pode taxa financiamento interesse aberto ha dois duas meses atras obrigado obrigada tchau noite ola oi adicione remova avise alerta quando passar lista observacao noticias por que caindo foi esta
    minha meu meus quantas crie ajuda`),
  tr: words(`fiyat fiyati ne kadar kac bugun dun hafta bu ay yil piyasa degeri hacmi islem karsilastir en cok yukselen yukselenler dusen dusenler
    iyi nasil destek direnc seviyeleri tum zamanlarin yuksek fiyati oynakligi oynaklik korelasyonu aldim dolardan almali miyim neden dusuyor
    neler yapabilirsin hoscakal geceler gorusuruz tesekkurler tesekkur merhaba ekle cikar listeme izleme haber ver uyar alarm kur ve icin ile once fonlama orani acik pozisyon iki peki degisti coinler
    haftanin botlarim botum planim soru dolarin ustune cikinca dolasimdaki yardim bir hangi`),
};

/** Words that several languages share: each counts half. */
const SHARED: Readonly<Record<string, ReadonlySet<string>>> = {
  es: words('de volumen'),
  fr: words('de volume compare correlation support resistance'),
  pt: words('de volume compare'),
  en: words('volume compare correlation support resistance'),
};

const ENGLISH = words(`the is are what how of for to my in on and price prices market cap   today week month top gainers losers when
  why which who should buy sell set alert me add watchlist from   high low over under above below i bought does did will
  can could you your tell show give it its this that with against much many worth best worst coins coin at value current levels high`);

/** Words and scripts of languages that the analyst does not answer in. */
const OTHERS =
  words(`prezzo quanto costa qual il di della mercato prijs wat van het jaka jest cena bitcoina hoeveel wordt koers zijn een ile kosztuje
  hvad hva prisen pa priset vad ar hinta mikä mika kolik cenu ceny giá bao nhieu harga berapa adalah apakah saya kurssi arvo pret pretul este`);
const OTHER_SCRIPT =
  /[\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}\p{Script=Devanagari}\p{Script=Greek}]/u;

/** Removes accents but keeps case; dotless i and ß count as i and ss. */
export const plainLetters = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss')
    .replace(/[’‘`´]/g, "'");

/** Returns the language of a question by its words; undefined where they do not tell. */
export function detectLanguage(question: string): Code | 'en' | 'other' | undefined {
  if (/\p{Script=Hangul}/u.test(question)) return 'ko';
  const tokens =
    plainLetters(question)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const count = (signs: ReadonlySet<string>, code = '') =>
    tokens.filter((token) => signs.has(token)).length + tokens.filter((token) => SHARED[code]?.has(token)).length / 2;
  const [best] = (Object.keys(SIGNS) as Exclude<Code, 'ko'>[])
    .map((code) => ({ code, found: count(SIGNS[code], code) }))
    .sort((a, b) => b.found - a.found);
  const english = count(ENGLISH, 'en');
  const other = count(OTHERS);
  if (OTHER_SCRIPT.test(question)) return 'other';
  if (best && best.found > english && best.found >= other) return best.code;
  if (other > english) return 'other';
  return english > 0 ? 'en' : undefined;
}

const tables: Readonly<Record<Code, () => Promise<Language>>> = {
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
  pt: async () => (await import('./pt.ts')).pt,
  tr: async () => (await import('./tr.ts')).tr,
  ko: async () => (await import('./ko.ts')).ko,
};

/** Loads what the analyst knows of a language. */
export const loadLanguage = (code: Code): Promise<Language> => tables[code]();
