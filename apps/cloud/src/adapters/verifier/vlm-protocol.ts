/** A request to the process that prepares pictures for another machine (structured clone: pictures stay bytes). */
export interface PedidoImagens {
  readonly crop: Uint8Array
  readonly quadro: Uint8Array | null
}

export type RespostaImagens =
  | { readonly tipo: 'imagens'; readonly id: number; readonly cut: Uint8Array; readonly frame: Uint8Array | null }
  | { readonly tipo: 'falha'; readonly id: number; readonly detalhe: string }
