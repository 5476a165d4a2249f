import { lerData } from '../../../brazil/calendario/datas.ts';
import { escreverData } from '../../../brazil/dinheiro/escrita.ts';
import { mesEscrito } from '../../faturamento/calculo/cobranca.regras.ts';
import { TAREFAS_DIARIAS, TAREFAS_DITAS } from '../../tarefas/tarefas.types.ts';
import type { NomeDePush } from '../tipos.regras.ts';
import type { Aviso, Traducoes } from './avisos.types.ts';
import type { NomeDoRecurso, Recurso } from './recurso.regras.ts';
import { quando } from './textos.regras.ts';

export const da = (nome: NomeDoRecurso, id: number): Recurso => ({ nome, id });

export const aEquipe = (tipo: NomeDePush, recurso: Recurso, titulo: string, texto: string): Aviso => ({
  tipo,
  para: { equipe: true },
  recurso,
  titulo,
  texto,
});

/** Names that a notice has room for. */
const NOMES = 5;

/** As people say it: bng-1, bng-2 e mais 3. */
function enumerar(nomes: readonly string[]): string {
  const ditos = nomes.slice(0, NOMES);
  const resto = nomes.length - ditos.length;
  if (resto > 0) return `${ditos.join(', ')} e mais ${resto}`;
  return ditos.length < 2 ? ditos.join('') : `${ditos.slice(0, -1).join(', ')} e ${ditos.at(-1)}`;
}

const PEDIDOS_DITOS = {
  previa: 'A prévia',
  faturas: 'Fazer as faturas',
  desfazer: 'Desfazer o faturamento',
} as const;

/** What the staff are told of the network, of the work of the day, and of what programs use. */
export const DA_EQUIPE = {
  'nas.silenciaram': ({ dados: { nomes, desde } }, { fuso }) => {
    const um = nomes.length === 1;
    const titulo = um ? 'Servidor silencioso' : 'Servidores silenciosos';
    const texto = um
      ? `De ${enumerar(nomes)} não se ouve nada desde ${quando(fuso, new Date(desde))}.`
      : `Não se ouve nada de ${nomes.length} servidores: ${enumerar(nomes)}.`;
    // Of other servers it would replace what is still true.
    return [{ ...aEquipe('servidor_silencioso', da('servidor', 0), titulo, texto), unico: true }];
  },
  'tarefa.falhou': ({ dados: { tarefa, dia } }) => {
    const data = lerData(dia);
    const qual = TAREFAS_DIARIAS.find((uma) => uma === tarefa);
    const dita = qual === undefined ? tarefa : TAREFAS_DITAS[qual];
    const texto = `“${dita}”${data === null ? '' : `, de ${escreverData(data)}`}: será tentada de novo.`;
    return [{ ...aEquipe('tarefa_falhou', da('tarefa', 0), 'Uma tarefa do dia falhou', texto), unico: true }];
  },
  'faturamento.falhou': ({ dados: { tipo, mes, vezes } }) => {
    const data = lerData(mes);
    const deQuando = data === null ? '' : tipo === 'desfazer' ? ` de ${escreverData(data)}` : ` de ${mesEscrito(data)}`;
    const texto = `${PEDIDOS_DITOS[tipo]}${deQuando}: falhou ${vezes} vezes seguidas. Será tentado de novo; a página diz por quê.`;
    return [{ ...aEquipe('faturamento_falhou', da('faturamento', 0), 'O faturamento não anda', texto), unico: true }];
  },
  'nfcom.fila_esquecida': ({ dados: { notas, desde } }, { fuso }) => {
    const quais = notas === 1 ? 'Espera 1 nota' : `Esperam ${notas} notas`;
    const texto = `${quais}, desde ${quando(fuso, new Date(desde))}: alguém pausou o envio e não o continuou.`;
    return [{ ...aEquipe('envio_pausado', da('notas', 0), 'O envio de notas está pausado', texto), unico: true }];
  },

  'webhook.falhando': ({ recursoId }) => [
    aEquipe(
      'webhook_falhando',
      da('webhook', recursoId),
      'Um webhook está falhando',
      'Há um dia nada se entrega a ele.',
    ),
  ],
  'webhook.desativado': ({ recursoId }) => [
    aEquipe(
      'webhook_desativado',
      da('webhook', recursoId),
      'Um webhook foi desativado',
      'Nada mais se entregava a ele.',
    ),
  ],
  'chave.expirando': ({ recursoId, dados: { expira_em } }, { fuso }) => [
    aEquipe(
      'chave_expirando',
      da('chave', recursoId),
      'Uma chave da API vai expirar',
      `Vale até ${quando(fuso, new Date(expira_em))}.`,
    ),
  ],
} as const satisfies Traducoes;
