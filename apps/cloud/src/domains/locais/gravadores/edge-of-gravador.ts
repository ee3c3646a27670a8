import { invalid } from '@vigia/contracts/errors'

/**
 * Returns the edge for new cameras of a gravador: that of its other cameras, else the requested edge, else the
 * gravador's own. One edge should serve a gravador, because each edge limits its own connections. null: any edge of the
 * Empresa.
 * @throws VigiaError `validacao`: the requested edge differs from the edge of its cameras.
 */
export function edgeOfGravador(
  gravador: { readonly edge_id: number | null },
  cameras: readonly { readonly edge_id: number | null }[],
  asked: number | null | undefined,
): number | null {
  const serving = cameras.find(({ edge_id }) => edge_id !== null)?.edge_id ?? null
  if (asked != null && serving !== null && asked !== serving)
    throw invalid(
      ['body', 'edge_id'],
      'Outra caixa atende as câmeras deste gravador: não mande edge_id, ou mande o dela',
    )
  return serving ?? asked ?? gravador.edge_id
}
