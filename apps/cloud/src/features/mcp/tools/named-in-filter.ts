import type { ToolContext } from '../tool.ts'

/** What `foundNothing` asks. */
export const filterOperations = ['verCamera', 'verEdge'] as const

/**
 * Called when a list is empty: whether the camera and the edge that it was narrowed to are there. Otherwise "nothing", the
 * answer for a mistaken id, would be passed on to the person as "nothing happened".
 * @throws VigiaError `nao_encontrado`
 */
export async function foundNothing(
  { camera_id, edge_id }: { readonly camera_id?: number | undefined; readonly edge_id?: number | undefined },
  ctx: ToolContext,
): Promise<void> {
  if (camera_id !== undefined) await ctx.json('verCamera', { params: { camera_id: String(camera_id) } })
  if (edge_id !== undefined) await ctx.json('verEdge', { params: { id: String(edge_id) } })
}
