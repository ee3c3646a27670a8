/** Limits of the API (contracts, cameras.ts). */
const MOST = 20
const LONGEST = 500

/** One instruction a line, without blank lines. */
export const instructionsOf = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const textOf = (instrucoes: readonly string[]): string => instrucoes.join('\n')

export function problemOf(instrucoes: readonly string[]): 'demais' | 'longa' | null {
  if (instrucoes.length > MOST) return 'demais'
  return instrucoes.some((one) => [...one].length > LONGEST) ? 'longa' : null
}
