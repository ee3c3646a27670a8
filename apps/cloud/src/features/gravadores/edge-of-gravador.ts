import { invalid } from '@vigia/contracts/errors'

/**
 * The edge that new cameras of a recorder go to: the one that serves its other cameras, else the one asked for, else the one
 * named for it. Only one edge should talk to a recorder, since each counts its own connections to it. null: any edge of the
 * Empresa.
 * @throws VigiaError `validacao`: another one was asked for than serves its cameras.
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
      'Outro edge atende as câmeras deste gravador: não mande edge_id, ou mande o dele',
    )
  return serving ?? asked ?? gravador.edge_id
}
