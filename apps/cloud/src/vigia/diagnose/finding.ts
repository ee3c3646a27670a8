/** Answer of one check. */
export interface Finding {
  readonly estado: 'OK' | 'ATENÇÃO' | 'FALHA'
  /** Portuguese sentence; for a problem, the step that mends it. */
  readonly frase: string
}

export const ok = (frase: string): Finding => ({ estado: 'OK', frase })
export const warning = (frase: string): Finding => ({ estado: 'ATENÇÃO', frase })
export const failure = (frase: string): Finding => ({ estado: 'FALHA', frase })
