import { Button, NativeSelect, Slider, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import { calibracaoPadrao, ia, type NomeIa } from '@vigia/contracts/ias'
import { hasPlaca, withPlaca } from '@vigia/contracts/plates-ia'
import { mergeCalibration } from '@vigia/ias/calibration'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCamera } from '../../../domains/locais/cameras/use-camera.tsx'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { formatNumber } from '../../../texts/locale.ts'
import { Column } from '../../../ui/layout.tsx'
import { Soft } from '../../../ui/page.tsx'
import { type ApiForm, useApiForm } from '../../../ui/use-api-form.ts'
import boardClasses from './board.module.css'
import { Board } from './board.tsx'
import classes from './camera.module.css'
import { NoIas } from './horarios-page.tsx'
import rowClasses from './ia-rows.module.css'
import { ReviewBias } from './review-bias.tsx'
import { RIGORES, type Rigor, rigorOf, smallestPerson, valuesOf } from './rigor.ts'
import { SaveBar } from './save-bar.tsx'
import { SimulationPanel } from './simulation-panel.tsx'
import { Suggestion } from './suggestion.tsx'
import { useThresholdText } from './threshold-text.ts'
import { configOf, fieldOf, formOf, isChanged, isWhole, limitsOf, problemOf, thresholdsOf } from './thresholds.ts'
import { useCameraSave } from './use-camera-save.ts'

const FIELDS = ['config_ia'] as const

/** The problem of each field of the form, by its name. */
function problemsOf(ias: readonly NomeIa[], form: Readonly<Record<string, string>>) {
  const problems = ias.flatMap((nome) =>
    thresholdsOf(nome).flatMap((limiar) => {
      const limits = limitsOf(nome, limiar)
      const problem = limits ? problemOf(limits, form[fieldOf(nome, limiar)] ?? '') : null
      return problem && limits ? [[fieldOf(nome, limiar), { problem, limits }] as const] : []
    }),
  )
  return new Map(problems)
}

/**
 * One slider for each enabled IA with the answer of the simulation beside it, and the smallest person on the picture.
 * The thresholds are numbers under *Avançado*.
 */
export function SensibilidadePage() {
  const { t } = useTranslation()
  const save = useCameraSave(FIELDS)
  const { opened } = save
  const form = useApiForm<string, string>({ initial: formOf(opened), check: () => ({}), sentence: (text) => text })
  const ias = withPlaca(opened.eventos_habilitados, false)
  const [asked, setAsked] = useState(0)
  const [shown, setShown] = useState<NomeIa | null>(() => ias.find(findsPeople) ?? null)
  const problems = problemsOf(ias, form.values)
  const valid = problems.size === 0
  const config = valid ? configOf(opened, form.values) : opened.config_ia
  const patch = isChanged(opened, form.values) ? { config_ia: config } : null
  const setAll = (values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) form.set(name, value)
  }
  const sentence = (nome: NomeIa, limiar: string): string | undefined => {
    const found = problems.get(fieldOf(nome, limiar))
    if (!found) return undefined
    const { minimo, maximo } = found.limits
    return t(`camera.limiares.${found.problem}`, { minimo: formatNumber(minimo), maximo: formatNumber(maximo) })
  }
  const slide = (nome: NomeIa, rigor: Rigor) => {
    const { conf, area_min } = valuesOf(nome, rigor)
    setAll({ [fieldOf(nome, 'conf')]: formatNumber(conf), [fieldOf(nome, 'area_min')]: areaText(area_min) })
    if (findsPeople(nome)) setShown(nome)
  }
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <Soft>{t('camera.rigor.ajuda')}</Soft>
        {opened.eventos_habilitados.length === 0 && <NoIas camera={opened} />}
        {hasPlaca(opened.eventos_habilitados) && <PlateHint id={String(opened.id)} />}
        {shown && <SmallestPerson nome={shown} areaMin={Number(mergeCalibration(config)[shown].area_min ?? 0)} />}
        <ul className={rowClasses.rows} aria-label={t('camera.abas.sensibilidade')}>
          {ias.map((nome) => (
            <li key={nome} className={classes.card}>
              <h2>{textsOfIa(nome).titulo}</h2>
              <RigorSlider
                nome={nome}
                rigor={rigorOf(nome, config[nome])}
                onChange={(rigor) => slide(nome, rigor)}
                onEnd={() => setAsked((count) => count + 1)}
              />
              <details>
                <summary>{t('camera.rigor.avancado')}</summary>
                <Column gap={11}>
                  <Soft>{t('camera.limiares.ajuda')}</Soft>
                  {thresholdsOf(nome).map((limiar) => (
                    <Threshold
                      key={limiar}
                      camera={opened}
                      nome={nome}
                      limiar={limiar}
                      form={form}
                      error={sentence(nome, limiar)}
                    />
                  ))}
                  <Button
                    variant="subtle"
                    color="gray"
                    size="sm"
                    style={{ alignSelf: 'start' }}
                    aria-label={t('camera.limiares.padraoRotulo', { nome: textsOfIa(nome).titulo })}
                    onClick={() => setAll(formOf({ eventos_habilitados: [nome], config_ia: {} }))}
                  >
                    {t('camera.limiares.voltarPadrao')}
                  </Button>
                </Column>
              </details>
              <ReviewBias camera={opened.id} nome={nome} />
              <Suggestion
                camera={opened.id}
                nome={nome}
                onUse={(conf) => form.set(fieldOf(nome, 'conf'), formatNumber(conf))}
              />
            </li>
          ))}
        </ul>
      </div>
      <div className={`${classes.side} ${rowClasses.beside}`}>
        {ias.length > 0 && <SimulationPanel camera={opened} proposal={valid ? patch : null} asked={asked} />}
        <SaveBar
          save={save}
          patch={patch}
          problems={valid ? [] : [t('camera.limiares.corrija')]}
          onReset={(stored) => setAll(formOf(stored))}
        />
      </div>
    </div>
  )
}

/** The certainty of a plate stands on its own page. */
function PlateHint({ id }: { id: string }) {
  const { t } = useTranslation()
  return (
    <Soft>
      {t('camera.rigor.daPlaca')}{' '}
      <Link to="/cameras/$id/o-que-vigia/placa" params={{ id }} className={classes.link}>
        {t('camera.abas.placa')}
      </Link>
    </Soft>
  )
}

const findsPeople = (nome: NomeIa): boolean => ia(nome).rotulos.some((rotulo) => rotulo === 'person')

/** A small fraction as the field shows it. */
const areaText = (area: number): string => formatNumber(area, { maximumFractionDigits: 4, useGrouping: false })

interface RigorSliderProps {
  readonly nome: NomeIa
  readonly rigor: Rigor
  readonly onChange: (rigor: Rigor) => void
  readonly onEnd: () => void
}

/** From "não perder nada" to "menos alarmes". */
function RigorSlider({ nome, rigor, onChange, onEnd }: RigorSliderProps) {
  const { t } = useTranslation()
  const last = RIGORES.length - 1
  const text = (at: number) => t(`camera.rigor.niveis.${RIGORES[at] ?? '0'}`)
  return (
    <div className={rowClasses.slider}>
      <Slider
        min={0}
        max={last}
        step={1}
        value={RIGORES.indexOf(rigor)}
        label={text}
        thumbLabel={t('camera.rigor.rotulo', { nome: textsOfIa(nome).titulo })}
        thumbProps={{ 'aria-valuetext': text(RIGORES.indexOf(rigor)) }}
        marks={RIGORES.map((_one, value) => ({ value }))}
        onChange={(at) => onChange(RIGORES[at] ?? '0')}
        onChangeEnd={onEnd}
      />
      <div className={rowClasses.sliderEnds} aria-hidden="true">
        <span>{t('camera.rigor.naoPerder')}</span>
        <span>{t('camera.rigor.menosAlarmes')}</span>
      </div>
      <p>{text(RIGORES.indexOf(rigor))}</p>
    </div>
  )
}

/** The smallest person that an IA still finds, drawn at the bottom of the live picture. */
function SmallestPerson({ nome, areaMin }: { nome: NomeIa; areaMin: number }) {
  const { t } = useTranslation()
  const { resolucao } = useCamera()
  return (
    <figure className={rowClasses.figure}>
      <Board>
        {({ width, height }) => {
          const { w, h } = smallestPerson(areaMin, resolucao, width / height)
          return (
            <svg className={boardClasses.layer} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
              <rect
                className={boardClasses.smallest}
                x={(0.5 - w / 2) * width}
                y={(0.95 - Math.min(h, 0.9)) * height}
                width={w * width}
                height={Math.min(h, 0.9) * height}
              />
            </svg>
          )
        }}
      </Board>
      <figcaption>{t('camera.rigor.menorPessoa', { ia: textsOfIa(nome).titulo })}</figcaption>
    </figure>
  )
}

interface ThresholdProps {
  readonly camera: Camera
  readonly nome: NomeIa
  readonly limiar: string
  readonly form: ApiForm<string>
  readonly error: string | undefined
}

function Threshold({ camera, nome, limiar, form, error }: ThresholdProps) {
  const { t } = useTranslation()
  const text = useThresholdText()(nome, limiar)
  const limits = limitsOf(nome, limiar)
  const field = form.field(fieldOf(nome, limiar))
  if (!limits) return null
  const saved = camera.config_ia[nome]?.[limiar]
  const props = { ...field, error, label: text.nome, description: text.frase }
  const effective = mergeCalibration(camera.config_ia)[nome][limiar] ?? limits.padrao
  return (
    <div>
      {limits.unidade === 'booleano' && (
        <NativeSelect
          {...props}
          data={[
            { value: 'true', label: text.value(true) },
            { value: 'false', label: text.value(false) },
          ]}
        />
      )}
      {limits.unidade === 'codigo' && (
        <NativeSelect {...props} data={[0, 1, 2].map((code) => ({ value: String(code), label: text.value(code) }))} />
      )}
      {limits.unidade !== 'booleano' && limits.unidade !== 'codigo' && (
        <TextInput {...props} inputMode={isWhole(limits) ? 'numeric' : 'decimal'} autoComplete="off" maxLength={12} />
      )}
      <Soft>
        {t('camera.limiares.vigor', { valor: text.value(effective) })}
        {' · '}
        {saved === undefined
          ? t('camera.limiares.doSistema')
          : t('camera.limiares.salva', {
              valor: text.value(saved),
              padrao: text.value(calibracaoPadrao[nome][limiar] ?? limits.padrao),
            })}
      </Soft>
    </div>
  )
}
