/** In the form of `foreign-words.ts`. */
export const CHINESE = `
backup: 备份 備份
restore: 恢复 还原
install: 安装
uninstall: 卸载
configure: 配置 设置
change: 更改 修改
delete: 删除
add: 添加
create: 创建
generate: 生成
update: 更新
start: 启动
stop: 停止
restart: 重启
run: 运行
enable: 启用
disable: 禁用
limit: 限制
maximum: 最大
size: 大小
password: 密码
encrypt: 加密
user: 用户
login: 登录
authentication: 认证 身份验证
account: 账户 帐户
key: 密钥
file: 文件
folder: 文件夹 目录
page: 页面
image: 图片 图像
send: 发送
email: 邮件
error: 错误
message: 消息
test: 测试
difference: 区别
language: 语言
supported: 支持
use: 使用
connect: 连接
database: 数据库
environment variable: 环境变量
virtual environment: 虚拟环境
command: 命令
command line: 命令行
default: 默认
value: 值
string: 字符串
list: 列表
random number: 随机数
convert: 转换
read: 读取
write: 写入
open: 打开
show: 显示
hide: 隐藏
search: 搜索
download: 下载
upload: 上传
import: 导入
export: 导出
copy: 复制
move: 移动
logs: 日志
monitor: 监控
alert: 警报 告警
redirect: 重定向
request: 请求
response: 响应
deploy: 部署
publish: 发布
development: 开发
production: 生产
server: 服务器
port: 端口
license: 许可证
price: 价格
free: 免费
cancel: 取消
invoice: 发票
access: 访问
permission: 权限
network: 网络
data: 数据
store: 存储 保存
memory: 内存
multiple: 多个
duplicates: 重复
reset: 重置
invite: 邀请
exclude: 排除
example: 示例
function: 函数
module: 模块
dependency: 依赖
component: 组件
query: 查询
sort: 排序
certificate: 证书
token: 令牌
cache: 缓存
proxy: 代理
: 如何 怎么 怎样 什么 可以 我的 如果 吗 的 我`
