import { z } from 'zod'

/** ISO 8601 UTC with `Z`, the only time format outside a process. */
export const instanteSchema = z.iso.datetime()

/** Time in a query: with `Z` or with an offset (`2026-01-31T09:00:00-03:00`). */
export const instanteComFusoSchema = z.iso.datetime({ offset: true })

/** Id of an Empresa, edge, camera, gravador, canal or login: 31 bits, which edges of earlier releases check. */
export const idSchema = z.int().min(1).max(2_147_483_647)

/**
 * Id of a row whose number grows with traffic (events, alerts, audit records, passages, deliveries): up to 2^53 - 1.
 */
export const idLongoSchema = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

/** A decimal number in a path or query string, as an integer. Rejects '', signs, spaces and exponents. */
export const inteiroTexto = (minimo: number, maximo: number) =>
  z
    .string()
    // 16 digits hold 2^53 - 1; a larger number is imprecise and fails z.int().
    .regex(/^-?\d{1,16}$/, { error: 'int_parsing' })
    .transform(Number)
    .pipe(z.int().min(minimo).max(maximo))
/** A decimal number in a path or query string, with an optional fraction. */
export const decimalTexto = (minimo: number, maximo: number) =>
  z
    .string()
    .regex(/^-?\d{1,15}(\.\d{1,20})?$/, { error: 'float_parsing' })
    .transform(Number)
    .pipe(z.number().min(minimo).max(maximo))
export const idTexto = inteiroTexto(1, 2_147_483_647)
export const idLongoTexto = inteiroTexto(1, Number.MAX_SAFE_INTEGER)

/** Largest list of cameras of one edge: far above the capacity of an edge, and small enough for one message. */
export const MAX_CAMERAS_EDGE = 4_096

/** Values of an IA's thresholds by name. */
export const limiaresSchema = z
  .record(z.string().max(64), z.union([z.number(), z.boolean()]))
  .refine((limiares) => Object.keys(limiares).length <= 64, { error: 'Há limiares demais.' })

/**
 * A short text for people: trimmed, not empty and without invisible characters. The length counts code points, as in
 * JSON Schema: an emoji is one character.
 */
export const textoCurto = (maximo: number) =>
  z
    .string()
    .trim()
    .min(1)
    .refine((texto) => texto.length <= maximo || [...texto].length <= maximo, {
      error: `Deve ter no máximo ${maximo} caracteres`,
      params: { type: 'string_too_long' },
      abort: true,
    })
    .refine((texto) => !hidden.test(texto.replace(emoji, '')), {
      error: 'Não use caracteres invisíveis ou de controle',
      params: { type: 'string_pattern_mismatch' },
    })
    .meta({ maxLength: maximo })

/**
 * Control and format characters (Unicode Cc, Cf). Characters that change the writing direction display another name
 * than the stored one. Zero-width characters make two names identical on the screen. It also contains single surrogates
 * and blanks other than the space.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u{2800}]/u

/** Such characters are valid inside an emoji: flags with tags, pictures joined by U+200D, keycaps. */
const emoji =
  /\u{1F3F4}[\u{E0030}-\u{E007A}]{1,6}\u{E007F}|\p{Extended_Pictographic}\u{FE0F}?\p{Emoji_Modifier}?(?:\u{200D}\p{Extended_Pictographic}\u{FE0F}?\p{Emoji_Modifier}?)*|[0-9#*]\u{FE0F}\u{20E3}/gu

/** Text without ASCII control characters, which would end a line of a protocol. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
export const semControle = /^[^\u0000-\u001f\u007f]*$/

/** A credential of a device: may be empty, and may contain all but control characters. */
export const credencial = (maximo: number) =>
  z.string().max(maximo).regex(semControle, { error: 'Não use caracteres de controle' })

/** IP address or host name of a device. The address policy applies at the connection. */
export const hostSchema = z
  .string()
  .trim()
  .min(1)
  .max(253)
  .regex(/^(\[[0-9a-f:.%\w-]+\]|[0-9a-f]*:[0-9a-f:.]+(%[\w.-]+)?|[\p{L}\p{N}_.-]+)$/iu, {
    error: 'Informe só o IP ou o nome do equipamento, sem rtsp://, porta nem barras',
  })
export const portaSchema = z.int().min(1).max(65_535)
