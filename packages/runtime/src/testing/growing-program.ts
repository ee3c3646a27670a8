/** Holds as many bytes as its argument says, until its parent ends it. */
const held = Buffer.alloc(Number(process.argv[2]), 1)
process.on('disconnect', () => process.exit())
process.send?.(held.length)
setInterval(() => held.length, 60_000)
