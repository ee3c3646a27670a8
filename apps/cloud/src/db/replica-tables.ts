/** Tables of the replicas (apps/cloud/src/replicas). */
export interface ReplicaTables {
  replicas: {
    id: string
    /** Address for other replicas. */
    url: string | null
    /** End of its lease, epoch ms of the database. */
    ate: number
  }
  posses: {
    nome: string
    replica: string
    /** Epoch ms of the database. */
    ate: number
    /** Rises with each change of the owner. */
    epoca: number
  }
  segredos_instalacao: {
    /** 1: the CA, its certificate and key in PEM. */
    id: number
    cifrado: string
  }
  vistas: {
    edge_id: number
    tipo: 'ao_vivo' | 'miniaturas'
    replica: string
    desejo_json: string
    /** Epoch ms of the database. */
    ate: number
  }
  publicacoes: {
    nome: string
    /** Number of the newest change, and of the newest one that is in force. */
    pedida: number
    feita: number
  }
  lista_revogacao: {
    /** 1: that of the installation's CA. */
    id: number
    /** null: none yet. */
    pem: string | null
    /** SHA-256 of the CA's key and the revoked serial numbers, hex. */
    resumo: string | null
    /** Epoch ms of the replica that signed it. */
    criada_em: number | null
  }
}
