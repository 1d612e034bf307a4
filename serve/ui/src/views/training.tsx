import { Card } from '../ui'
export function TrainingView(_: { parts: string[] }) {
  return <Card title="Training"><p class="dim">None.</p></Card>
}
