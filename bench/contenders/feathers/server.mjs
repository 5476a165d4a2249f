import { once } from 'node:events';
import { feathers } from '@feathersjs/feathers';
import { KnexService } from '@feathersjs/knex';
import { bodyParser, errorHandler, koa, rest } from '@feathersjs/koa';
import { Ajv, hooks as schemaHooks, resolve, virtual } from '@feathersjs/schema';
import typebox from '@feathersjs/typebox';
import knexModule from 'knex';

const { Type, getValidator, querySyntax } = typebox;

// As `feathers generate app` and the guide lay it out, for the service's own tables: a KnexService a table, a validated
// query, and result resolvers that fetch what belongs to a row. No authentication, no limit: less than ours does.

const paginate = { default: 10, max: 50 };

function queryOf(properties) {
  const schema = Type.Intersect([querySyntax(properties), Type.Object({}, { additionalProperties: false })], {
    additionalProperties: false,
  });
  return schemaHooks.validateQuery(getValidator(schema, new Ajv({ coerceTypes: true, useDefaults: true })));
}

const Id = Type.Number();
const columns = {
  clientes: Type.Object({ provedor_id: Id, id: Id, cpf_cnpj: Type.String(), situacao: Type.String() }),
  telefones: Type.Object({ provedor_id: Id, id: Id, cliente_id: Id }),
  contratos: Type.Object({ provedor_id: Id, id: Id, cliente_id: Id }),
  planos: Type.Object({ provedor_id: Id, id: Id }),
  conexoes: Type.Object({ provedor_id: Id, contrato_id: Id }),
};

const all = (context, service, query) => context.app.service(service).find({ paginate: false, query });

const resolvers = {
  clientes: resolve({
    telefones: virtual(async ({ provedor_id, id }, context) =>
      all(context, 'telefones', { provedor_id, cliente_id: id }),
    ),
    contratos: virtual(async ({ provedor_id, id }, context) =>
      all(context, 'contratos', { provedor_id, cliente_id: id }),
    ),
  }),
  contratos: resolve({
    plano: virtual(async ({ provedor_id, plano_id }, context) =>
      all(context, 'planos', { provedor_id, id: plano_id }).then(([plano]) => plano),
    ),
    conexao: virtual(async ({ provedor_id, id }, context) =>
      all(context, 'conexoes', { provedor_id, contrato_id: id }).then(([conexao]) => conexao ?? null),
    ),
  }),
};

async function start({ databaseUrl }) {
  const url = new URL(databaseUrl);
  const Model = knexModule.knex({
    client: 'mysql2',
    connection: {
      socketPath: url.searchParams.get('socketPath'),
      user: url.username,
      database: url.pathname.slice(1),
      timezone: 'Z',
      dateStrings: true,
    },
    pool: { min: 0, max: 10 },
  });
  const app = koa(feathers());
  app.use(errorHandler());
  app.use(bodyParser());
  app.configure(rest());

  for (const [path, properties] of Object.entries(columns)) {
    const name = path === 'telefones' ? 'clientes_telefones' : path;
    const id = path === 'conexoes' ? 'contrato_id' : 'id';
    app.use(path, new KnexService({ Model, name, id, paginate }), { methods: ['find', 'get'] });
    const external = resolvers[path];
    app.service(path).hooks({
      around: { all: external === undefined ? [] : [schemaHooks.resolveResult(external)] },
      before: { all: [queryOf(properties)] },
    });
  }
  const server = await app.listen(0, '127.0.0.1');
  if (!server.listening) await once(server, 'listening');
  return { port: server.address().port };
}

process.on('message', (message) => {
  start(message).then(
    (answer) => process.send(answer),
    (error) => process.send({ error: error.stack }),
  );
});
process.on('disconnect', () => process.exit());
