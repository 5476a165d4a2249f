import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { somarDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Dominio } from '../../../domain/dominio.ts';
import type { Fatura } from '../../../domain/faturas/faturas.types.ts';
import { html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { escreverData, escreverReais } from '../componentes/escrita.ts';
import { vazio } from '../componentes/tabela.ts';
import { area, caixa, caixas, entrada, escolha } from '../formulario/campos.ts';
import { valorDe } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { PIX_OU_CARTEIRA, TIPO_NAO_DITO } from '../faturas/termos.ts';
import { escondido, formulario } from '../formulario/formulario.ts';
import { naoEncontrado } from '../recusas.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';

const ROTULOS = {
  faturas: 'Faturas vencidas',
  parcelas: 'Parcelas',
  primeiro_vencimento: 'Primeiro vencimento',
  entrada: 'Entrada',
  desconto: 'Desconto',
  tipo: 'Como se paga',
  motivo: 'Observação',
  liberar: 'Liberar a conexão de contratos bloqueados por débito',
};

/** What a client owes late, the oldest first. */
export async function vencidasDe(dominio: Dominio, clienteId: number): Promise<readonly Fatura[]> {
  const { abertas } = await dominio.resumoFinanceiro.buscar(clienteId);
  return abertas.filter(({ situacao }) => situacao === 'vencida');
}

/** The form by which overdue invoices become instalments. */
export async function telaDoNovoAcordo(
  { dominio, sessao, agora }: Pick<Chamada, 'dominio' | 'sessao' | 'agora'>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const clienteId = Number(valorDe(estado, 'cliente_id'));
  if (!Number.isSafeInteger(clienteId) || clienteId < 1) throw naoEncontrado();
  const cliente = await dominio.clientes.buscarPorId(clienteId);
  if (cliente === null) throw naoEncontrado();
  const vencidas = await vencidasDe(dominio, clienteId);
  const base = { titulo: 'Renegociar', menu: 'faturas', migalhas: [['Faturas', '/faturas']] } as const;
  if (vencidas.length === 0) {
    const passo = html`<a class="btn" href="${BASE}/faturas?cliente=${clienteId}&situacao=todas"
      >Ver as faturas dele</a
    >`;
    return {
      ...base,
      corpo: vazio('file-invoice', 'Nada a renegociar', `${cliente.nome} não tem fatura vencida.`, passo),
    };
  }
  const hoje = hojeEm(sessao.provedor.fusoHorario, agora);
  const devido = somarDinheiro(...vencidas.map(({ aPagar }) => aPagar));
  return {
    ...base,
    corpo: html`<div class="card largura-leitura">
      <div class="card-body">
        <p>
          <strong>${cliente.nome}</strong> deve hoje ${escreverReais(devido)} em faturas vencidas, com encargos. As
          escolhidas são canceladas e dão lugar às parcelas. O acordo pode ser quebrado depois, e elas voltam.
        </p>
        ${formulario({
          para: '/renegociacoes/nova',
          estado,
          rotulos: ROTULOS,
          enviar: 'Renegociar',
          volta: `/faturas?cliente=${clienteId}&situacao=vencida`,
          corpo: html`${escondido('cliente_id', clienteId)}
            ${caixas(estado, {
              nome: 'faturas',
              rotulo: ROTULOS.faturas,
              opcoes: vencidas.map(({ id, vencimento, aPagar, descricao }) => ({
                valor: String(id),
                texto: `nº ${id} · venceu em ${escreverData(vencimento)} · ${escreverReais(aPagar)}`,
                ...(descricao === null ? {} : { dica: descricao }),
              })),
            })}
            <div class="grade">
              ${entrada(estado, { nome: 'parcelas', rotulo: ROTULOS.parcelas, tipo: 'number', obrigatorio: true, dica: 'Uma por mês, de 1 a 60.', mais: html`min="1" max="60"` })}
              ${entrada(estado, { nome: 'primeiro_vencimento', rotulo: ROTULOS.primeiro_vencimento, tipo: 'date', obrigatorio: true, mais: html`min="${hoje}"` })}
              ${entrada(estado, { nome: 'entrada', rotulo: ROTULOS.entrada, teclado: 'decimal', dica: 'Vence hoje.' })}
              ${
                pode(sessao, 'faturas.desconto')
                  ? entrada(estado, { nome: 'desconto', rotulo: ROTULOS.desconto, teclado: 'decimal' })
                  : null
              }
            </div>
            ${escolha(estado, {
              nome: 'tipo',
              rotulo: ROTULOS.tipo,
              vazia: TIPO_NAO_DITO,
              opcoes: PIX_OU_CARTEIRA,
            })}
            ${area(estado, { nome: 'motivo', rotulo: ROTULOS.motivo, maximo: 500, linhas: 2 })}
            ${caixa(estado, { nome: 'liberar', rotulo: ROTULOS.liberar })}`,
        })}
      </div>
    </div>`,
  };
}
