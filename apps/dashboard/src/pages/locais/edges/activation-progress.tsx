import { Loader } from '@mantine/core'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { edgeQuery } from '../../../api/device-queries.ts'
import { useServices } from '../../../session/services.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { Row } from '../../../ui/layout.tsx'
import classes from './new-edge.module.css'

/** Follows a new edge from its code to its first contact. */
export function ActivationProgress({ edgeId }: { edgeId: number }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { instalacao } = useSearch({ from: '/painel/caixas/nova' })
  const { data } = useQuery(edgeQuery(api, edgeId))
  const activated = data !== undefined && data.status !== 'aguardando'
  const online = data?.status === 'online'
  const stages = [
    ['criada', true],
    ['ativada', activated],
    ['online', online],
  ] as const
  const next = stages.find(([, done]) => !done)?.[0]
  return (
    <section className={classes.progress} aria-label={t('caixas.progresso.titulo')}>
      <ol>
        {stages.map(([name, done]) => (
          <li key={name} data-done={done || undefined} aria-current={name === next ? 'step' : undefined}>
            {done ? (
              <IconCircleCheck size={20} aria-hidden="true" />
            ) : name === next ? (
              <Loader size={18} aria-hidden="true" />
            ) : (
              <IconCircle size={20} aria-hidden="true" />
            )}
            {t(`caixas.progresso.${name}`)}
          </li>
        ))}
      </ol>
      <p role="status">{t(`caixas.progresso.andamento.${next ?? 'pronta'}`)}</p>
      {online && (
        <Row gap={6}>
          {instalacao === true ? (
            <ButtonLink to="/instalacao">{t('instalacao.continuar')}</ButtonLink>
          ) : (
            <ButtonLink to="/gravadores/novo">{t('caixas.progresso.gravador')}</ButtonLink>
          )}
          <ButtonLink to="/caixas" variant="default">
            {t('caixas.progresso.lista')}
          </ButtonLink>
        </Row>
      )}
    </section>
  )
}
