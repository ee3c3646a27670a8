import type { ToolContext } from '../tool.ts'

/** Operations of `foundNothing`. */
export const filterOperations = ['verCamera', 'verEdge'] as const

/**
 * Called for an empty list: verifies that the camera and the edge of its filters exist. Otherwise the agent would
 * report the empty result of a wrong id as "nothing happened".
 * @throws VigiaError `nao_encontrado`
 */
export async function foundNothing(
  { camera_id, edge_id }: { readonly camera_id?: number | undefined; readonly edge_id?: number | undefined },
  ctx: ToolContext,
): Promise<void> {
  if (camera_id !== undefined) await ctx.json('verCamera', { params: { camera_id: String(camera_id) } })
  if (edge_id !== undefined) await ctx.json('verEdge', { params: { id: String(edge_id) } })
}
