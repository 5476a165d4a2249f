import { opcional } from '../../../domain/campos/campos.ts';
import { id as umId } from '../../../domain/campos/leitores.ts';
import { faltaEm } from '../../../domain/erros.ts';
import type { Excedente } from '../../../domain/faturas/ajustes/excedentes.service.ts';
import { html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { escreverData, escreverReais } from '../componentes/escrita.ts';
import { vazio } from '../componentes/tabela.ts';
import { area, entrada, escolha } from '../formulario/campos.ts';
import { preenchido } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { formulario } from '../formulario/formulario.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';
import { exigirFatura, telaSobreFatura } from './apoio.ts';

const ROTULOS = { origem: 'Fatura paga a mais', valor: 'Quanto', motivo: 'Observação' };
const TITULO = 'Usar o que foi pago a mais';

async function telaDoCredito(chamada: Chamada<{ readonly id: number }>, estado: EstadoDoFormulario): Promise<Tela> {
  const fatura = await exigirFatura(chamada);
  const sobras = (await chamada.dominio.excedentes.doCliente(fatura.clienteId)).filter(
    ({ faturaId }) => faturaId !== fatura.id,
  );
  const volta = `/faturas/${fatura.id}`;
  if (fatura.segundaVia === null || sobras.length === 0) {
    const porque =
      fatura.segundaVia === null ? 'A fatura não está em aberto.' : 'Nada sobrou das outras faturas deste cliente.';
    const voltar = html`<a class="btn" href="${BASE}${volta}">Voltar à fatura</a>`;
    return telaSobreFatura(chamada, fatura, TITULO, vazio('receipt', 'Não há o que usar', porque, voltar));
  }
  return telaSobreFatura(
    chamada,
    fatura,
    TITULO,
    html`<p>
        O que sobrou de outra fatura abate esta: primeiro os encargos, depois o principal. Se cobrir tudo o que se deve,
        a fatura fica paga.
      </p>
      ${formulario({
        para: `${volta}/credito`,
        estado,
        rotulos: ROTULOS,
        enviar: 'Usar nesta fatura',
        volta,
        corpo: html`${escolha(estado, { nome: 'origem', rotulo: ROTULOS.origem, obrigatorio: true, opcoes: sobras.map(opcaoDe) })}
        ${entrada(estado, {
          nome: 'valor',
          rotulo: ROTULOS.valor,
          teclado: 'decimal',
          dica: `Em branco, tudo o que couber: esta deve ${escreverReais(fatura.aPagar)}.`,
        })}
        ${area(estado, { nome: 'motivo', rotulo: ROTULOS.motivo, maximo: 500, linhas: 2 })}`,
      })}`,
  );
}

const opcaoDe = ({ faturaId, vencimento, livre }: Excedente) => ({
  valor: String(faturaId),
  texto: `Fatura ${faturaId}: sobraram ${escreverReais(livre)} (venceu em ${escreverData(vencimento)})`,
});

/** A credit of what a client paid too much elsewhere; one that the provider gives is a discount. */
export const CREDITO: readonly Rota[] = [
  pagina('/faturas/{id}/credito', {
    permissao: 'faturas.desconto',
    consulta: { de: opcional(umId) },
    mostrar: async (chamada) => ({
      tela: await telaDoCredito(chamada, preenchido({ origem: chamada.consulta.de ?? null })),
    }),
  }),
  acao('/faturas/{id}/credito', {
    permissao: 'faturas.desconto',
    campos: { origem: 'texto', valor: 'dinheiro', motivo: 'texto' },
    formulario: telaDoCredito,
    async fazer({ parametros: { id }, dados, mudar }) {
      if (dados['origem'] === undefined) faltaEm('origem', 'escolha de qual sobrou');
      await mudar(async (_dominio, { ajustes }) => ajustes.aplicarCredito(id, dados));
      return { ir: `/faturas/${id}`, feito: 'salvo' };
    },
  }),
];
