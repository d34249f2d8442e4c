/* head */ CREATE /* a */ TABLE -- b
 t ( -- first
 a /* x */ INT, -- schemakit: renamed from b
 b GENERATED /* c */ ALWAYS AS (a) -- last
 ) -- end