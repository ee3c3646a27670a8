import { Alert, Button, Checkbox, Loader, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { edgesQuery, gravadoresQuery } from '../../../api/device-queries.ts'
import { empresasQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { CardsSkeleton } from '../../../ui/cards-skeleton.tsx'
import { DialogButtons } from '../../../ui/dialog.tsx'
import { useFocusInvalid } from '../../../ui/use-focus-invalid.ts'
import { CanalList } from './canal-list.tsx'
import { GravadorFields } from './gravador-fields.tsx'
import { accessOf, type FormularioGravador, fieldsOfEquipamento, hasNoVideo, YES } from './gravador-form.ts'
import { NetworkScan } from './network-scan.tsx'
import classes from './novo-gravador.module.css'
import { PerfilChoice } from './perfil-choice.tsx'
import { ScanAbsenceNote } from './scan-absence-note.tsx'
import { type NewGravador, passos, useNewGravador } from './use-new-gravador.ts'

/** Wizard of a new gravador. With `simulado`, a trial with the simulator of the demonstration. */
export function NovoGravadorPage() {
  const { t } = useTranslation()
  const { simulado } = useSearch({ from: '/painel/gravadores/novo' })
  const trial = useTrial(simulado === true)
  usePageTitle(t('gravadores.titulo'))
  return trial === undefined ? <CardsSkeleton /> : <Wizard key={String(trial !== null)} trial={trial} />
}

/** Fields of the simulator of the demonstration. undefined: not fetched yet; null: there is no demonstration. */
function useTrial(wanted: boolean): Partial<FormularioGravador> | null | undefined {
  const { api } = useServices()
  const empresas = useQuery(empresasQuery(api))
  const empresa = empresas.data?.find(({ demonstracao }) => demonstracao)
  const gravadores = useQuery({
    ...gravadoresQuery(api, empresa?.id ?? null),
    enabled: wanted && empresa !== undefined,
  })
  if (!wanted || empresas.isError || gravadores.isError || (empresas.data && !empresa)) return null
  const [simulator] = gravadores.data ?? []
  if (!empresa || !gravadores.data) return undefined
  if (!simulator) return null
  const { fabricante, host, porta, usuario, senha, num_canais } = simulator
  return {
    empresa_id: String(empresa.id),
    fabricante,
    host,
    usuario,
    senha,
    porta: String(porta),
    porta_mantida: YES,
    num_canais: String(num_canais),
  }
}

/** Three steps: the gravador, its canais with pictures, and the Perfil. Only the last one stores anything. */
function Wizard({ trial }: { trial: Partial<FormularioGravador> | null }) {
  const { t } = useTranslation()
  const wizard = useNewGravador(trial ?? {})
  const { form, passo, setPasso, busy, chosen, excess } = wizard
  const fields = useFocusInvalid<HTMLDivElement>(form.refusals)
  const navigate = useNavigate()

  const send = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (passo === 'gravador') wizard.discover()
    else if (passo === 'canais') setPasso('perfil')
    else wizard.register()
  }
  const back = () => {
    if (passo === 'gravador') void navigate({ to: '/gravadores' })
    else setPasso(passo === 'perfil' ? 'canais' : 'gravador')
  }
  const submitText = {
    gravador: t('gravadores.procurar'),
    canais: t('gravadores.continuar'),
    perfil: t('gravadores.adicionar', { count: chosen.length }),
  }[passo]
  return (
    <div className={classes.page}>
      <h1>{t('gravadores.titulo')}</h1>
      <ol className={classes.steps}>
        {passos.map((one) => (
          <li key={one} aria-current={one === passo ? 'step' : undefined}>
            {t(`gravadores.passos.${one}`)}
          </li>
        ))}
      </ol>
      <form onSubmit={send} noValidate autoComplete="off">
        {form.failure && (
          <Alert color="red" variant="light" role="alert" mb="md">
            {form.failure}
          </Alert>
        )}
        <div ref={fields}>
          {passo === 'gravador' && <FirstStep wizard={wizard} isTrial={trial !== null} />}
          {passo === 'canais' && <SecondStep wizard={wizard} />}
          {passo === 'perfil' && <LastStep wizard={wizard} />}
        </div>
        {wizard.discovering && (
          <p role="status">
            <Loader size={16} aria-hidden="true" />{' '}
            {t('gravadores.procurando', { count: Number(form.values.num_canais) })}
          </p>
        )}
        <DialogButtons className={passo === 'canais' ? '' : classes.narrow}>
          <Button variant="default" onClick={back}>
            {t(passo === 'gravador' ? 'comum.cancelar' : 'gravadores.voltar')}
          </Button>
          <Button type="submit" loading={busy} disabled={passo !== 'gravador' && (chosen.length === 0 || excess > 0)}>
            {submitText}
          </Button>
        </DialogButtons>
      </form>
    </div>
  )
}

function FirstStep({ wizard: { form, owner }, isTrial }: { wizard: NewGravador; isTrial: boolean }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  const { data } = useQuery(edgesQuery(api, empresa ?? null))
  const chosen = Number(form.values.empresa_id)
  // The local edge serves every Empresa, but only the operator may scan its network.
  const serving = data?.filter((edge) => edge.empresa_id === null || edge.empresa_id === chosen) ?? []
  const scanning = serving.filter(({ status }) => status === 'online')
  return (
    <div className={`${classes.fields} ${classes.narrow}`}>
      {isTrial && <Alert variant="light">{t('gravadores.simulado')}</Alert>}
      {!isTrial && <ScanAbsenceNote empresa={form.values.empresa_id} serving={data && serving} />}
      {!isTrial && scanning.length > 0 && (
        <NetworkScan
          edges={scanning}
          onChoose={(equipamento, edgeId) => {
            for (const [name, value] of Object.entries(fieldsOfEquipamento(equipamento)))
              form.set(name as keyof typeof form.values, value)
            form.set('edge_id', String(edgeId))
          }}
        />
      )}
      <GravadorFields form={form} owner={isTrial ? null : owner} />
      {serving.length > 1 && (
        <NativeSelect
          label={t('gravadores.caixa')}
          description={t('gravadores.caixaAjuda')}
          {...form.field('edge_id')}
          data={[
            { value: '', label: t('gravadores.caixaQualquer') },
            ...serving.map(({ id, nome }) => ({ value: String(id), label: nome })),
          ]}
        />
      )}
      {me.empresa_id === null && <p>{t('gravadores.nadaAinda')}</p>}
    </div>
  )
}

function SecondStep({ wizard }: { wizard: NewGravador }) {
  const { t } = useTranslation()
  const { form, visit, found, chosen, names, pictures } = wizard
  return (
    <div className={classes.fields}>
      <Limit wizard={wizard} />
      {hasNoVideo(wizard.found) && (
        <Alert color="yellow" variant="light" role="alert">
          {t('gravadores.nenhumComVideo')}
        </Alert>
      )}
      <CanalList
        {...{ visit, canais: found, chosen, names, pictures }}
        access={accessOf(form.values)}
        onChoose={wizard.choose}
        onName={wizard.setName}
        onPicture={wizard.setPicture}
      />
    </div>
  )
}

/** The limit of cameras, before anything is created. */
function Limit({ wizard: { excess, free, found } }: { wizard: NewGravador }) {
  const { t } = useTranslation()
  if (!found.some(({ estado }) => estado !== 'já cadastrada'))
    return <Alert variant="light">{t('gravadores.todasCadastradas')}</Alert>
  if (excess === 0) return null
  return (
    <Alert color="red" variant="light" role="alert">
      {t('gravadores.limite', { count: free ?? 0, excesso: excess })}
    </Alert>
  )
}

/** The canais that read plates: a Perfil does not decide which ones see a gate. */
function PlateReaders({ wizard: { chosen, names, plates, setPlates } }: { wizard: NewGravador }) {
  const { t } = useTranslation()
  return (
    <Checkbox.Group
      label={t('gravadores.placas')}
      description={t('gravadores.placasAjuda')}
      value={plates.map(String)}
      onChange={(values) => setPlates(values.map(Number))}
    >
      {chosen.map((canal) => (
        <Checkbox
          key={canal}
          mt="xs"
          value={String(canal)}
          label={names[canal]?.trim() || t('gravadores.canal', { numero: canal })}
        />
      ))}
    </Checkbox.Group>
  )
}

function LastStep({ wizard }: { wizard: NewGravador }) {
  const { t } = useTranslation()
  const { form } = wizard
  return (
    <div className={`${classes.fields} ${classes.narrow}`}>
      <Limit wizard={wizard} />
      <TextInput
        label={t('gravadores.nome')}
        description={t('gravadores.nomeAjuda')}
        maxLength={150}
        autoComplete="off"
        {...form.field('nome_gravador')}
      />
      <PerfilChoice form={form} />
      {wizard.asksPlates && <PlateReaders wizard={wizard} />}
    </div>
  )
}
