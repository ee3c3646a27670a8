import { constants, setPriority } from 'node:os'
import { type HostileContext, hostilities } from './hostilities.ts'

/** Runs one attack until its parent ends it, in a separate process so that it does not slow the measurement. */
const [name] = process.argv.slice(2)
const context = JSON.parse(process.env.VIGIA_HOSTILE_CONTEXT ?? '') as HostileContext
const hostility = hostilities.find((one) => one.name === name)
if (!hostility) throw new Error(`no hostility ${name}`)
// A remote attacker uses no CPU time of the server.
setPriority(constants.priority.PRIORITY_LOW)
process.on('disconnect', () => process.exit(0))
process.send?.({ pronto: true })
await hostility.run(context, new AbortController().signal)
