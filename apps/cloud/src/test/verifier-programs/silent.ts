/** A process that starts, and answers no request. */
process.once('disconnect', () => process.exit(0))
process.on('message', () => {})
process.send?.({ tipo: 'pronto' })
