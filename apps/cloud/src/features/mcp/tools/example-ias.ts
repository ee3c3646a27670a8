import { exemploIas } from '@vigia/contracts/perfis'

/** A list of IAs as a tool's description shows it. */
export const exampleIas = `[${exemploIas.comuns.map((nome) => `"${nome}"`).join(', ')}]`
