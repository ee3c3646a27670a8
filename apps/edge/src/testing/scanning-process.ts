import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { createProbeSlots } from '../capture/connection-slots.ts'
import { createScanHandlers } from '../pedidos/scan-network.ts'
import { createHostSlots, createOwnSlots } from '../supervisor/host-slots.ts'

/** Scans the networks of this process's namespace and prints the answers as one line of JSON each. */
const handlers = createScanHandlers({
  enabled: true,
  allowed: parseAllowedCidrs(''),
  slots: createProbeSlots(createOwnSlots(createHostSlots(2))),
})
const context = { id: '0', signal: new AbortController().signal, prazoMs: 40_000 }
console.log(JSON.stringify(await handlers.listar_redes({ acao: 'listar_redes' }, context)))
console.log(JSON.stringify(await handlers.varrer_rede({ acao: 'varrer_rede' }, context)))
