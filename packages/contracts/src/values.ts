import { z } from 'zod'

/** ISO 8601 UTC with `Z`, the only time format outside a process. */
export const instanteSchema = z.iso.datetime()

/** Database identifier. */
export const idSchema = z.int().min(1).max(2_147_483_647)

/** A decimal number in a path or query string, as an integer. Refuses '', signs, spaces and exponents. */
export const inteiroTexto = (minimo: number, maximo: number) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/, { error: 'int_parsing' })
    .transform(Number)
    .pipe(z.int().min(minimo).max(maximo))
export const idTexto = inteiroTexto(1, 2_147_483_647)

/** A short human text: trimmed, not empty, no control characters. */
export const textoCurto = (maximo: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maximo)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    .regex(/^[^\u0000-\u001f\u007f]*$/, { error: 'Não use caracteres de controle' })

/** A credential of a device: may be empty, and may hold anything but control characters. */
export const credencial = (maximo: number) =>
  z
    .string()
    .max(maximo)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    .regex(/^[^\u0000-\u001f\u007f]*$/, { error: 'Não use caracteres de controle' })

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
