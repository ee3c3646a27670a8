import { Button, Switch } from '@mantine/core'
import { IconListDetails, IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type CanalNotificacao, canalNotificacaoSchema, testeCanalSchema } from '@vigia/contracts/notificacoes'
import { useTranslation } from 'react-i18next'
import { formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { Card, CardAlarm, CardControls, CardFacts, CardName } from '../../../ui/card.tsx'
import { CardButton } from '../../../ui/card-buttons.tsx'
import classes from './canais.module.css'
import { destinosOf } from './canal-form.ts'

interface CanalCardProps {
  readonly canal: CanalNotificacao
  readonly onChange: () => void
  readonly onRemove: () => void
}

/** Card of one canal: destinations, filters, results of 30 days, last error and test. */
export function CanalCard({ canal, onChange, onRemove }: CanalCardProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { nome: empresa } = useEmpresa(canal.empresa_id)
  const nome = nameOfCanal(canal) || t('canais.semNome', { id: canal.id })
  const test = useMutation({
    mutationFn: () => api.send('POST', `/notificacoes/${canal.id}/teste`, undefined, testeCanalSchema),
  })
  const { agenda, tipos_evento, avisar_quedas, gravidade_min, certeza_min, resumo_hora } = canal
  return (
    <Card aria-label={nome}>
      <CardName>
        <bdi>{nome}</bdi>
      </CardName>
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
          t(canal.camera_id === null ? 'canais.todasCameras' : 'canais.umaCamera'),
          tipos_evento.length > 0 && tipos_evento.map((ia) => textsOfIa(ia).titulo).join(', '),
          agenda.inicio !== undefined &&
            agenda.fim !== undefined &&
            t('canais.das', { inicio: agenda.inicio, fim: agenda.fim }),
          t(avisar_quedas ? 'canais.comQuedas' : 'canais.semQuedas'),
          gravidade_min !== 'baixa' && t(`avisos.niveis.${gravidade_min}`),
          certeza_min === 'alta' && t('canais.soCerto'),
          t(canal.agrupar ? 'canais.porIncidente' : 'canais.porEvento'),
          canal.politica === 'avisar' && t('canais.semEsperar'),
          canal.placas && t('canais.comPlacas'),
          resumo_hora !== null && t('canais.resumoAs', { hora: resumo_hora }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </CardFacts>
      <Results canal={canal} />
      {test.data && (
        <div role="status">
          {test.data.ok ? (
            <CardFacts>{t('canais.teste.enviado')}</CardFacts>
          ) : (
            test.data.erros.map((erro) => <CardAlarm key={erro}>{erro}</CardAlarm>)
          )}
          {test.data.avisos.map((aviso) => (
            <CardFacts key={aviso}>{aviso}</CardFacts>
          ))}
        </div>
      )}
      {test.error && <CardAlarm role="alert">{test.error.message}</CardAlarm>}
      <ActiveSwitch canal={canal} nome={nome} />
      <CardControls>
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          leftSection={<IconSend size={17} />}
          loading={test.isPending}
          aria-label={t('canais.teste.rotulo', { nome })}
          onClick={() => test.mutate()}
        >
          {t('canais.teste.botao')}
        </Button>
        <Button
          component={Link}
          to={`/canais/${canal.id}`}
          variant="subtle"
          color="gray"
          size="sm"
          leftSection={<IconListDetails size={17} />}
          aria-label={t('canais.entregas.rotulo', { nome })}
        >
          {t('canais.entregas.botao')}
        </Button>
        <CardButton icon={IconPencil} label={t('canais.mudarRotulo', { nome })} onClick={onChange}>
          {t('canais.mudar')}
        </CardButton>
        <CardButton icon={IconTrash} label={t('canais.removerRotulo', { nome })} onClick={onRemove}>
          {t('canais.remover')}
        </CardButton>
      </CardControls>
    </Card>
  )
}

/** The own name, else the first destination; '': neither. */
export const nameOfCanal = (canal: CanalNotificacao): string => canal.nome || (destinosOf(canal)[0] ?? '')

function Results({ canal: { entregas, empresa_id } }: { readonly canal: CanalNotificacao }) {
  const { t } = useTranslation()
  const now = useNow()
  const { fuso } = useEmpresa(empresa_id)
  const { pendentes, entregues, desistidas, ultimo_erro, ultimo_erro_em } = entregas
  return (
    <>
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

function ActiveSwitch({ canal, nome }: { readonly canal: CanalNotificacao; readonly nome: string }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const change = useMutation({
    mutationFn: (ativo: boolean) => api.send('PATCH', `/notificacoes/${canal.id}`, { ativo }, canalNotificacaoSchema),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['canais'] }),
  })
  return (
    <Switch
      className={classes.active}
      label={t('canais.ativo')}
      aria-label={t('canais.ativoRotulo', { nome })}
      checked={change.isPending ? change.variables : canal.ativo}
      error={change.error?.message}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  )
}
