import { useQuery } from '@tanstack/react-query'
import type { Passagem } from '@vigia/contracts/passagens'
import type { Estadia } from '@vigia/contracts/presencas'
import { useTranslation } from 'react-i18next'
import { percursoQuery } from '../../api/presencas-queries.ts'
import { type Fuso, formatDuration, formatWhen } from '../../base/tempo/format-time.ts'
import { useNow } from '../../base/tempo/use-now.ts'
import { useServices } from '../../session/services.ts'
import { useEmpresa } from '../../session/use-empresa.ts'
import { CardSoft } from '../../ui/card.tsx'
import { Failure } from '../../ui/failure.tsx'
import { InfoDialog } from '../../ui/info-dialog.tsx'
import classes from './placas.module.css'

/** Passages of one plate across the cameras of its Empresa, and its stays. */
export function PercursoDialog({ placa, empresa, onClose }: { placa: string; empresa: number; onClose: () => void }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { fuso } = useEmpresa(empresa)
  const { data, error, refetch } = useQuery(percursoQuery(api, { placa, empresa }))
  return (
    <InfoDialog title={t('placas.percurso.titulo', { placa })} onClose={onClose}>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <p aria-busy="true">{t('comum.carregando')}</p>}
      {data && (
        <>
          <h3>{t('placas.percurso.estadias')}</h3>
          {data.estadias.length === 0 && <CardSoft>{t('placas.percurso.semEstadias')}</CardSoft>}
          <ul className={classes.lines}>
            {data.estadias.map((estadia) => (
              <EstadiaLine
                key={`${estadia.entrada?.passagem_id}-${estadia.saida?.passagem_id}`}
                estadia={estadia}
                fuso={fuso}
              />
            ))}
          </ul>
          <h3>{t('placas.titulo')}</h3>
          <ul className={classes.lines}>
            {data.passagens.map((passagem) => (
              <PassagemLine key={passagem.id} passagem={passagem} fuso={fuso} />
            ))}
          </ul>
        </>
      )}
    </InfoDialog>
  )
}

function EstadiaLine({ estadia, fuso }: { estadia: Estadia; fuso: Fuso }) {
  const { t } = useTranslation()
  const now = useNow()
  const { entrada, saida, aberta, local, permanencia_s, saida_semelhante, placa_saida, encerrada_por } = estadia
  const when = (at: { readonly ocorrido_em: string } | null) =>
    at === null ? t('placas.percurso.naoLida') : formatWhen(at.ocorrido_em, now, fuso)
  const notes = [
    aberta && t('placas.percurso.dentro'),
    permanencia_s !== null && formatDuration(permanencia_s * 1_000),
    saida_semelhante && placa_saida !== null && t('placas.percurso.semelhante', { placa: placa_saida }),
    encerrada_por !== null && t('placas.percurso.encerrada', { por: encerrada_por }),
  ]
  return (
    <li>
      {t(aberta ? 'placas.percurso.entrou' : 'placas.percurso.entrouSaiu', {
        entrada: when(entrada),
        saida: when(saida),
      })}
      <CardSoft as="span"> {[local, ...notes].filter(Boolean).join(' · ')}</CardSoft>
    </li>
  )
}

function PassagemLine({ passagem, fuso }: { passagem: Passagem; fuso: Fuso }) {
  const { t } = useTranslation()
  const now = useNow()
  const { ocorrido_em, camera_nome, local, sentido } = passagem
  const where = [camera_nome, local, sentido && t(`placas.sentido.${sentido}`)].filter(Boolean).join(' · ')
  return (
    <li>
      {formatWhen(ocorrido_em, now, fuso)} <CardSoft as="span">{where}</CardSoft>
    </li>
  )
}
