import { constants, setPriority } from 'node:os'
import { type HostilePlace, hostilities } from './hostilities.ts'

/** Runs one hostility, in a process of its own so that it does not slow the measurement, until its parent ends it. */
const [name] = process.argv.slice(2)
const place = JSON.parse(process.env.VIGIA_HOSTILE_PLACE ?? '') as HostilePlace
const hostility = hostilities.find((one) => one.name === name)
if (!hostility) throw new Error(`no hostility ${name}`)
// A remote attacker uses no processor of the server's.
setPriority(constants.priority.PRIORITY_LOW)
process.on('disconnect', () => process.exit(0))
process.send?.({ pronto: true })
await hostility.run(place, new AbortController().signal)
