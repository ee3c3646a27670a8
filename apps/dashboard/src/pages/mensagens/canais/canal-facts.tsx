import { useQuery } from '@tanstack/react-query'
import type { CanalNotificacao } from '@vigia/contracts/notificacoes'
import { useTranslation } from 'react-i18next'
import { camerasQuery } from '../../../api/queries.ts'
import { formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { CardAlarm, CardFacts } from '../../../ui/card.tsx'
import classes from './canais.module.css'
import { destinosOf, relogio } from './canal-form.ts'

/** Names of cameras; the others are a number. */
const NAMES_SHOWN = 5

/** Destinations, filters, results of 30 days and last error of one canal. */
export function CanalFacts({ canal }: { readonly canal: CanalNotificacao }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const now = useNow()
  const days: readonly string[] = t('canais.dias', { returnObjects: true })
  const { nome: empresa, fuso } = useEmpresa(canal.empresa_id)
  const { data: cameras = [] } = useQuery(camerasQuery(api, canal.empresa_id))
  const names = cameras.flatMap(({ id, nome }) => (canal.camera_ids.includes(id) ? [nome] : []))
  const shown = names.slice(0, NAMES_SHOWN).join(', ')
  const more = names.length - NAMES_SHOWN
  const nomes = more > 0 ? t('canais.maisDestinos', { destino: shown, count: more }) : shown
  const { agenda, tipos_evento, avisar_quedas, gravidade_min, certeza_min, resumo_hora } = canal
  const { pendentes, entregues, desistidas, ultimo_erro, ultimo_erro_em } = canal.entregas
  return (
    <>
      <p>{[t(`canais.tipo.${canal.tipo}`), empresa].filter(Boolean).join(' · ')}</p>
      <ul className={classes.destinos}>
        {destinosOf(canal).map((destino) => (
          <li key={destino} translate="no">
            {destino}
          </li>
        ))}
      </ul>
      <CardFacts>
        {[
          canal.camera_ids.length === 0 ? t('canais.todasCameras') : nomes,
          tipos_evento.length > 0 && tipos_evento.map((ia) => textsOfIa(ia).titulo).join(', '),
          agenda.inicio !== undefined &&
            agenda.fim !== undefined &&
            [
              t('canais.das', { inicio: relogio(agenda.inicio), fim: relogio(agenda.fim) }),
              ...(agenda.dias ?? []).map((dia) => days[dia]),
            ].join(', '),
          t(avisar_quedas ? 'canais.comQuedas' : 'canais.semQuedas'),
          gravidade_min !== 'baixa' && t(`avisos.niveis.${gravidade_min}`),
          certeza_min === 'alta' && t('canais.soCerto'),
          t(
            canal.agrupar
              ? canal.continuacao === 'fim'
                ? 'canais.noInicioEFim'
                : 'canais.porIncidente'
              : 'canais.porEvento',
          ),
          canal.politica === 'avisar' && t('canais.semEsperar'),
          canal.placas && t('canais.comPlacas'),
          resumo_hora !== null && t('canais.resumoAs', { hora: resumo_hora }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </CardFacts>
      <CardFacts>
        {t('canais.contas', {
          entregues: formatNumber(entregues),
          pendentes: formatNumber(pendentes),
          desistidas: formatNumber(desistidas),
        })}
      </CardFacts>
      {ultimo_erro !== null && ultimo_erro_em !== null && (
        <CardAlarm>
          {t('canais.ultimoErro', { quando: formatWhen(ultimo_erro_em, now, fuso), erro: ultimo_erro })}
        </CardAlarm>
      )}
    </>
  )
}
