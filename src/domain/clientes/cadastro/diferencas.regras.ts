import type { EnderecoRow } from '../../enderecos/enderecos.types.ts';
import { definidos, tipoDe } from './cadastro.regras.ts';
import type { MudancaDeCliente } from './cadastro.regras.ts';
import type { CampoMudado, ClienteTravadoRow } from './cadastro.types.ts';

/** Fields that are a column of their own name. */
const COLUNAS = ['nome', 'cpf_cnpj', 'nome_fantasia', 'email', 'data_nascimento', 'codigo_externo'] as const;

/** What a change comes to for a client as it is: its columns, and the fields of which they are. Phones and state aside. */
export function diferencasDoCliente(
  cliente: ClienteTravadoRow,
  mudanca: MudancaDeCliente,
): { readonly colunas: Partial<ClienteTravadoRow>; readonly campos: CampoMudado[] } {
  const pedidas: Partial<Record<(typeof COLUNAS)[number], string | null | undefined>> = { ...mudanca };
  const tipo = tipoDe(mudanca.cpf_cnpj ?? cliente.cpf_cnpj);
  // What only the other kind of person has goes with the document.
  if (tipo !== cliente.tipo) pedidas[tipo === 'pf' ? 'nome_fantasia' : 'data_nascimento'] ??= null;

  const campos: CampoMudado[] = COLUNAS.filter((coluna) => {
    const pedida = pedidas[coluna];
    return pedida !== undefined && pedida !== cliente[coluna];
  });
  const colunas: Partial<Record<string, string | null | undefined>> = Object.fromEntries(
    campos.map((coluna) => [coluna, pedidas[coluna as (typeof COLUNAS)[number]]]),
  );
  if (tipo !== cliente.tipo && campos.includes('cpf_cnpj')) colunas['tipo'] = tipo;

  const endereco = Object.entries<string | null>(definidos(mudanca.endereco ?? {}) as Partial<EnderecoRow>).filter(
    ([parte, valor]) => valor !== cliente[parte as keyof EnderecoRow],
  );
  if (endereco.length > 0) campos.push('endereco');
  return { colunas: { ...colunas, ...Object.fromEntries(endereco) }, campos };
}
