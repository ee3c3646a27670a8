import { Gauge, type Registry } from 'prom-client'

/** A gauge without labels, read when somebody asks for the metrics. null: no value. */
export const readGauge = (registers: Registry[], name: string, help: string, read: () => number | null): Gauge =>
  new Gauge({
    name,
    help,
    registers,
    collect() {
      const value = read()
      if (value === null) this.remove()
      else this.set(value)
    },
  })
