if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `O Vigia precisa do Node 24 ou mais novo (este é o ${process.versions.node}): inicie-o com "npm start".`,
  )
  process.exit(1)
}

const { ensureInstallationPki } = await import('@vigia/link/pki/installation')
const { VigiaError } = await import('@vigia/contracts/errors')

/**
 * Creates the keys and certificates of this data folder, or renews them when due, and ends. Runs at every start, before
 * broker and cloud. VIGIA_MQTT_NOMES: comma-separated names and addresses of the broker for edges.
 */
const brokerHosts = (process.env.VIGIA_MQTT_NOMES ?? '')
  .split(',')
  .map((name) => name.trim())
  .filter((name) => name !== '')

try {
  await ensureInstallationPki({ dir: process.env.VIGIA_DATA_DIR || './data', brokerHosts })
} catch (error) {
  const text = error instanceof VigiaError ? error.detalhe : error instanceof Error ? error.message : String(error)
  console.error(`Não foi possível preparar os certificados. ${text}`)
  process.exitCode = 1
}
