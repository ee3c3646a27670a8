/**
 * The unchanged cloud program. It answers the message `memory` of its parent with its memory use after a forced
 * collection. Started with `--expose-gc`.
 */
process.on('message', (message) => {
  if (message !== 'memory') return
  for (let times = 0; times < 3; times += 1) globalThis.gc?.()
  const { heapUsed, rss, external } = process.memoryUsage()
  process.send?.({ memory: { heapUsed, rss, external } })
})
await import('../main.ts')
