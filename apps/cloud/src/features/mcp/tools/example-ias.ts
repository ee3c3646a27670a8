import { exemploIas } from '@vigia/contracts/perfis'

/** Example list of IAs in tool descriptions. */
export const exampleIas = `[${exemploIas.comuns.map((nome) => `"${nome}"`).join(', ')}]`
