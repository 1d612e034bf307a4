import { Card } from '../ui'
export function ExperimentsView() {
  return <Card title="Experiments"><p class="dim">None.</p></Card>
}
