import { z } from 'zod'

/** ISO 8601 UTC with `Z`, the only time format outside a process. */
export const instanteSchema = z.iso.datetime()

/** The same as a person writes it in a query: `Z`, or the offset of their own clock (`2026-01-31T09:00:00-03:00`). */
export const instanteComFusoSchema = z.iso.datetime({ offset: true })

/** Id of an Empresa, edge, camera, recorder, channel or login: 31 bits, which boxes of earlier releases check. */
export const idSchema = z.int().min(1).max(2_147_483_647)

/** Id of a row that traffic adds (events, alerts, audit records, passages, deliveries): up to 2^53 - 1. */
export const idLongoSchema = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

/** A decimal number in a path or query string, as an integer. Refuses '', signs, spaces and exponents. */
export const inteiroTexto = (minimo: number, maximo: number) =>
  z
    .string()
    // 16 digits hold 2^53 - 1; a larger number is imprecise and fails z.int().
    .regex(/^-?\d{1,16}$/, { error: 'int_parsing' })
    .transform(Number)
    .pipe(z.int().min(minimo).max(maximo))
/** The same with a fraction after a point. */
export const decimalTexto = (minimo: number, maximo: number) =>
  z
    .string()
    .regex(/^-?\d{1,15}(\.\d{1,20})?$/, { error: 'float_parsing' })
    .transform(Number)
    .pipe(z.number().min(minimo).max(maximo))
export const idTexto = inteiroTexto(1, 2_147_483_647)
export const idLongoTexto = inteiroTexto(1, Number.MAX_SAFE_INTEGER)

/** Most entries of a list of cameras of one box: far more than a box can watch, and few enough to be read at once. */
export const MAX_CAMERAS_EDGE = 4_096

/** Values of an IA's thresholds by their name. */
export const limiaresSchema = z
  .record(z.string().max(64), z.union([z.number(), z.boolean()]))
  .refine((limiares) => Object.keys(limiares).length <= 64, { error: 'Há limiares demais.' })

/**
 * A short human text: trimmed, not empty, and nothing in it that cannot be seen. The length counts code points, as JSON
 * Schema does: an emoji is not two characters.
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
 * Control and format characters (Unicode Cc, Cf): those that turn the direction of writing make a guard read another name
 * than the stored one, zero-width ones make two names look like one. Also halves of surrogate pairs, and blanks that are no
 * spaces.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u{2800}]/u

/** Inside an emoji they are at home: flags by tags, pictures joined by U+200D, keycaps. */
const emoji =
  /\u{1F3F4}[\u{E0030}-\u{E007A}]{1,6}\u{E007F}|\p{Extended_Pictographic}\u{FE0F}?\p{Emoji_Modifier}?(?:\u{200D}\p{Extended_Pictographic}\u{FE0F}?\p{Emoji_Modifier}?)*|[0-9#*]\u{FE0F}\u{20E3}/gu

/** Text without control characters of ASCII, which would end a line of a protocol. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
export const semControle = /^[^\u0000-\u001f\u007f]*$/

/** A credential of a device: may be empty, and may hold anything but control characters. */
export const credencial = (maximo: number) =>
  z.string().max(maximo).regex(semControle, { error: 'Não use caracteres de controle' })

/** IP address or name of a device, as a person types it; what it may point to is decided where it is connected to. */
export const hostSchema = z
  .string()
  .trim()
  .min(1)
  .max(253)
  .regex(/^(\[[0-9a-f:.%\w-]+\]|[0-9a-f]*:[0-9a-f:.]+(%[\w.-]+)?|[\p{L}\p{N}_.-]+)$/iu, {
    error: 'Informe só o IP ou o nome do equipamento, sem rtsp://, porta nem barras',
  })
export const portaSchema = z.int().min(1).max(65_535)
