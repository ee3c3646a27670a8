/**
 * The edge that new cameras of a recorder go to: the one named for it, else the one that serves its other cameras. Only one edge
 * should talk to a recorder, since each counts its own connections to it. null: any edge of the Empresa.
 */
export const edgeOfRecorder = (
  recorder: { readonly edge_id: number | null },
  cameras: readonly { readonly edge_id: number | null }[],
): number | null => recorder.edge_id ?? cameras.find(({ edge_id }) => edge_id !== null)?.edge_id ?? null
