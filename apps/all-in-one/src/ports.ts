import { createServer } from 'node:net'

export type PortState = 'livre' | 'em_uso' | 'sem_permissao' | 'endereco_invalido'

/** Whether this process could listen on `host:port` now. */
export const probePort = (host: string, port: number): Promise<PortState> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve('em_uso')
      else if (error.code === 'EACCES') resolve('sem_permissao')
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') resolve('endereco_invalido')
      else reject(error)
    })
    server.listen(port, host, () => server.close(() => resolve('livre')))
  })

/** Returns a port of `host` that was free at the check. */
export const freePort = (host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, host, () => {
      const address = server.address()
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new Error(`no port on ${host}`))
      })
    })
  })

/** Returns the message for an unusable port; null when it is free. */
export async function portProblem(setting: string, host: string, port: number): Promise<string | null> {
  switch (await probePort(host, port)) {
    case 'livre':
      return null
    case 'em_uso':
      return `A porta ${port} já está em uso. Feche o outro programa ou escolha outra: ${setting}=${port + 1} npm start`
    case 'sem_permissao':
      return `Sem permissão para abrir a porta ${port}. Escolha uma acima de 1023: ${setting}=8080 npm start`
    case 'endereco_invalido':
      return `O endereço ${host} não é desta máquina. Corrija VIGIA_HOST.`
  }
}
